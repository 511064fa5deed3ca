package dev.waybill.postgres.journal;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.PostgresEncoding;
import dev.waybill.spi.StoreRefusedException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Checks whether a relay may read this database. */
public final class JournalInspection {
    public static final String INSPECT = """
            select pg_is_in_recovery() as in_recovery,
                   current_setting('server_version_num')::int as version_number,
                   %s as encoding,
                   to_regclass('waybill.event') is not null as initialised,
                   (select seqcache from pg_sequence where seqrelid = to_regclass('waybill.event_seq_seq')) as seq_cache,
                   (select x.attnum < s.attnum from pg_attribute x, pg_attribute s
                     where x.attrelid = to_regclass('waybill.event') and s.attrelid = x.attrelid
                       and x.attname = 'xid' and s.attname = 'seq') as xid_before_seq""".formatted(PostgresEncoding.OF_DATABASE);

    private static final String SUBSCRIPTION = """
            select from pg_subscription_rel s where s.srrelid = to_regclass('waybill.event') limit 1""";

    /** The role of an operator may only read; the next relay records the cluster. */
    private static final String MAY_RECORD =
            "select has_table_privilege('waybill.cluster', 'insert') and has_table_privilege('waybill.relay', 'update')";

    /** Records that both identities denote one cluster, for roles that may not see the system identifier. */
    private static final String RECORD_CLUSTER =
            "insert into waybill.cluster (system_id, kept) values (?, ?) on conflict do nothing";

    /** Positions of this cluster that were saved under an identifier it had before. */
    private static final String UPDATE_IDENTIFIERS = """
            update waybill.relay r set system_id = w.current from (select ?::text as current, ?::text as kept) w
             where r.system_id not in (w.current, w.kept)
               and exists (select from waybill.cluster c where c.system_id = r.system_id and c.kept = w.kept)""";

    /** Without this role flush_lsn of every standby is null. */
    private static final String SEES_STANDBYS =
            "select pg_has_role(current_user, 'pg_read_all_stats', 'usage'), quote_ident(current_user)";

    private static final int OLDEST_SERVER = 140_000;

    private JournalInspection() {}

    /**
     * Checks the database and what the settings require of it.
     *
     * @return the identifier that positions are saved under
     */
    public static String require(JournalConnection connection, RelayName relay, JournalSettings settings)
            throws SQLException {
        String systemId = require(connection, relay);
        JournalEnvironment.require(connection, relay, settings.environment());
        if (settings.durability().standbys().isPresent()) {
            requireSeesStandbys(connection, relay);
        }
        return systemId;
    }

    /**
     * Checks the database.
     *
     * @return the identifier that positions are saved under
     */
    public static String require(JournalConnection connection, RelayName relay) throws SQLException {
        connection.one(INSPECT, row -> requireUsable(row, relay));
        requireSameSchema(connection, relay);
        if (hasSubscription(connection)) {
            throw refusal(
                    relay,
                    "waybill.event is filled by logical replication, with xids of another cluster",
                    "End the replication first (drop the subscription), then run `waybill adopt` once.");
        }
        return requireSameSystem(connection, relay, ServerIdentity.of(connection));
    }

    private static RelayName requireUsable(ResultSet row, RelayName relay) throws SQLException {
        if (row.getInt("version_number") < OLDEST_SERVER) {
            throw refusal(relay, "the server is older than PostgreSQL 14", "Upgrade the server.");
        }
        if (row.getBoolean("in_recovery")) {
            throw refusal(
                    relay,
                    "the server is a standby, whose snapshots may show a transaction in progress as ended",
                    "Connect to the primary (targetServerType=primary).");
        }
        if (PostgresEncoding.isNone(row.getString("encoding"))) {
            throw refusal(
                    relay,
                    "the database stores text in no encoding: " + PostgresEncoding.PROBLEM,
                    PostgresEncoding.REMEDY);
        }
        if (!row.getBoolean("initialised")) {
            throw refusal(relay, "there is no schema waybill", "Run `waybill init` or JournalSchema.create first.");
        }
        if (row.getLong("seq_cache") != 1) {
            throw refusal(
                    relay,
                    "the sequence of waybill.event.seq has CACHE " + row.getLong("seq_cache")
                            + ", so seqs do not follow the order of appending",
                    "Run `alter sequence waybill.event_seq_seq cache 1` once no writer is connected.");
        }
        if (!row.getBoolean("xid_before_seq")) {
            throw refusal(
                    relay,
                    "the column xid of waybill.event comes after seq, so an event could get its seq before its xid",
                    "Create the table as `waybill init --print` shows it.");
        }
        return relay;
    }

    private static void requireSameSchema(JournalConnection connection, RelayName relay) throws SQLException {
        int version = Migrations.version(connection);
        int newest = Migrations.newestVersion();
        if (version > newest) {
            throw refusal(
                    relay,
                    "the schema waybill has version " + version + ", and this Waybill knows up to version " + newest,
                    "Use a Waybill at least as new as the one that created it.");
        }
        if (version < newest) {
            throw refusal(
                    relay,
                    "the schema waybill has version " + version + ", and this Waybill needs version " + newest,
                    "Run `waybill init` or JournalSchema.create as the owner of the schema, and the grants again.");
        }
    }

    /** Whether logical replication writes events, which have xids of another cluster. */
    public static boolean hasSubscription(JournalConnection connection) throws SQLException {
        return connection.exists(SUBSCRIPTION);
    }

    private static void requireSeesStandbys(JournalConnection connection, RelayName relay) throws SQLException {
        Optional<String> blindRole = connection.one(
                SEES_STANDBYS, row -> row.getBoolean(1) ? Optional.empty() : Optional.of(row.getString(2)));
        if (blindRole.isPresent()) {
            throw refusal(
                    relay,
                    "it waits for a standby, and this role may not see the replication state of standbys",
                    "Run `grant pg_read_all_stats to " + blindRole.get() + "`.");
        }
    }

    /**
     * One position or event from another cluster is enough to refuse: any relay would skip events, a new one too.
     *
     * @return the identifier that the relay's position is saved under
     */
    private static String requireSameSystem(JournalConnection connection, RelayName relay, ServerIdentity identity)
            throws SQLException {
        JournalOrigin origin = JournalOrigin.of(connection, relay.value(), identity);
        if (origin.isForeign()) {
            throw foreign(relay, identity.current(), origin.other());
        }
        boolean mayRecord = connection.one(MAY_RECORD, row -> row.getBoolean(1));
        if (mayRecord && identity.shown().isPresent() && !origin.known()) {
            record(connection, identity);
        }
        Optional<String> own = origin.own();
        if (mayRecord && origin.upgraded()) {
            connection.update(UPDATE_IDENTIFIERS, identity.current(), identity.kept());
            own = own.filter(identity.kept()::equals);
        }
        return own.orElse(identity.current());
    }

    /** Records that the system identifier and the identity kept in the schema denote the same cluster. */
    public static void record(JournalConnection connection, ServerIdentity identity) throws SQLException {
        connection.update(RECORD_CLUSTER, identity.current(), identity.kept());
    }

    private static StoreRefusedException foreign(RelayName relay, String systemId, Optional<String> other) {
        return refusal(
                relay,
                (other.isEmpty()
                                ? "there are events with xids that this database cluster " + systemId
                                        + " has not assigned yet, or that have another offset than waybill.xid_offset"
                                : "a position in it was saved on the database cluster " + other.get() + ", but this is "
                                        + systemId)
                        + " (restored from a dump, or migrated): its xids have another meaning here, and events would"
                        + " be skipped",
                "Stop every relay of this journal and run `waybill adopt` or PostgresJournal.adopt once: every relay then"
                        + " continues from its position in the copy.");
    }

    public static StoreRefusedException refusal(RelayName relay, String why, String remedy) {
        return new StoreRefusedException(refusalText(relay, why, remedy));
    }

    public static String refusalText(RelayName relay, String why, String remedy) {
        return "Relay " + relay + " cannot read this journal: " + why + ". " + remedy;
    }
}
