package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.postgres.JournalPosition.Point;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What every session passes before it may read the journal: the database is looked at, and the lease is taken. */
final class JournalGate {
    /** Whether the lease {@code l} may be taken by an owner. */
    private static final String IS_FREE = "(l.owner is null or l.owner = ? or l.lease_until < clock_timestamp())";

    /** Standby processes run this often. */
    private static final String FIND_FREE = """
            select from waybill.relay r
             where r.name = ? and r.system_id = ?
               and exists (select from waybill.lease l where l.relay = r.name and %s)""".formatted(IS_FREE);

    private static final String ACQUIRE = """
            with taken as (
                update waybill.lease l
                   set owner = ?, epoch = nextval('waybill.epoch'),
                       lease_until = clock_timestamp() + ? * interval '1 millisecond'
                 where l.relay = ? and %s returning l.relay, l.epoch)
            update waybill.relay r set epoch = t.epoch from taken t where r.name = t.relay
            returning r.epoch, r.base::text, r.base_next::text, r.base_floor, r.target::text, r.target_next::text,
                      r.target_floor, r.high, r.seq""".formatted(IS_FREE);

    static final String SUBSCRIPTION = """
            select from pg_subscription_rel s where s.srrelid = to_regclass('waybill.event') limit 1""";

    /** An operator's role may only read; the next relay records it. */
    private static final String MAY_NOTE =
            "select has_table_privilege('waybill.cluster', 'insert') and has_table_privilege('waybill.relay', 'update')";

    /** Roles that the server does not show its identifier to then know that both are the same. */
    private static final String NOTE_CLUSTER =
            "insert into waybill.cluster (system_id, kept) values (?, ?) on conflict do nothing";

    /** Once the cluster is known to be the same, so that nothing of the old identifier is asked again. */
    private static final String TAKE_OVER = """
            update waybill.relay r set system_id = w.current from (select ?::text as current, ?::text as kept) w
             where r.system_id not in (w.current, w.kept)
               and exists (select from waybill.cluster c where c.system_id = r.system_id and c.kept = w.kept)""";

    /** Without it flush_lsn of every standby is null. */
    private static final String SEES_STANDBYS =
            "select pg_has_role(current_user, 'pg_read_all_stats', 'usage'), quote_ident(current_user)";

    /** Takes no lock while another owner holds the lease. */
    private static final String LOCK_IF_FREE = FIND_FREE + " for no key update of r";

    private static final int OLDEST_SERVER = 140_000;

    private JournalGate() {}

    /** A lease, and where its relay has come. */
    record Entered(JournalLease lease, JournalPosition position) {}

    /** Whether nobody else holds the lease. */
    static boolean isFree(JournalConnection connection, JournalLease.Wanted wanted, String systemId)
            throws SQLException {
        return found(connection, FIND_FREE, wanted, systemId);
    }

    /**
     * The lease's row and the epoch that fences saves change in one transaction, under the lock that saves take.
     *
     * @return nothing while another owner holds the lease
     */
    static Optional<Entered> enter(JournalConnection connection, JournalLease.Wanted wanted, String systemId)
            throws SQLException {
        return connection.inTransaction(() ->
                found(connection, LOCK_IF_FREE, wanted, systemId) ? acquire(connection, wanted) : Optional.empty());
    }

    private static boolean found(JournalConnection connection, String sql, JournalLease.Wanted wanted, String systemId)
            throws SQLException {
        return connection.exists(
                sql, wanted.relay().value(), systemId, wanted.owner().value());
    }

    private static Optional<Entered> acquire(JournalConnection connection, JournalLease.Wanted wanted)
            throws SQLException {
        return connection.first(
                ACQUIRE,
                row -> new Entered(wanted.granted(row.getLong(1)), position(row)),
                wanted.owner().value(),
                wanted.length().toMillis(),
                wanted.relay().value(),
                wanted.owner().value());
    }

    /**
     * Looks at the database before anything is read or written.
     *
     * @return what positions are saved under: the cluster's system identifier, or what stands in for it
     */
    static String inspect(JournalConnection connection, RelayName relay) throws SQLException {
        connection.one(PostgresJournalSql.INSPECT, row -> requireUsable(row, relay));
        requireSameSchema(connection, relay);
        requireNotSubscribed(connection, relay);
        return requireSameSystem(connection, relay, ServerIdentity.of(connection));
    }

    private static RelayName requireUsable(ResultSet row, RelayName relay) throws SQLException {
        if (row.getInt("version_number") < OLDEST_SERVER) {
            throw refuse(relay, "the server is older than PostgreSQL 14", "Upgrade the server.");
        }
        if (row.getBoolean("in_recovery")) {
            throw refuse(
                    relay,
                    "the server is a standby, whose snapshots can call an unfinished transaction ended",
                    "Connect to the primary (targetServerType=primary).");
        }
        if (!row.getBoolean("initialised")) {
            throw refuse(relay, "the schema waybill is not there", "Run `waybill init` or JournalSchema.create first.");
        }
        if (row.getLong("seq_cache") != 1) {
            throw refuse(
                    relay,
                    "the sequence of waybill.event.seq has CACHE " + row.getLong("seq_cache")
                            + ", so seqs do not follow the order of appending",
                    "Run `alter sequence waybill.event_seq_seq cache 1` once no writer is connected.");
        }
        if (!row.getBoolean("xid_before_seq")) {
            throw refuse(
                    relay,
                    "the column xid of waybill.event stands after seq, so an event could get its seq before its xid",
                    "Create the table as `waybill init --print` shows it.");
        }
        return relay;
    }

    private static void requireSameSchema(JournalConnection connection, RelayName relay) throws SQLException {
        int version = connection.one(JournalSchema.SCHEMA_VERSION, row -> row.getInt(1));
        int newest = JournalSchema.newestVersion();
        if (version > newest) {
            throw refuse(
                    relay,
                    "the schema waybill has version " + version + ", and this Waybill knows up to version " + newest,
                    "Use a Waybill at least as new as the one that made it.");
        }
        if (version < newest) {
            throw refuse(
                    relay,
                    "the schema waybill has version " + version + ", and this Waybill needs version " + newest,
                    "Run `waybill init` or JournalSchema.create as the owner of the schema, and the grants again.");
        }
    }

    /** What replication writes has xids of another cluster. */
    private static void requireNotSubscribed(JournalConnection connection, RelayName relay) throws SQLException {
        if (connection.exists(SUBSCRIPTION)) {
            throw refuse(
                    relay,
                    "waybill.event is filled by logical replication, with xids of another cluster",
                    "End the replication first (drop the subscription), then run `waybill adopt` once.");
        }
    }

    static void requireStandbysSeen(JournalConnection connection, RelayName relay, WaitFor waitFor)
            throws SQLException {
        if (waitFor.stage() != WaitFor.Stage.REPLICA) {
            return;
        }
        Optional<String> blindRole = connection.one(
                SEES_STANDBYS, row -> row.getBoolean(1) ? Optional.empty() : Optional.of(row.getString(2)));
        if (blindRole.isPresent()) {
            throw refuse(
                    relay,
                    "it waits for a standby, and this role may not see how far standbys are",
                    "Run `grant pg_read_all_stats to " + blindRole.get() + "`.");
        }
    }

    /**
     * One position or event from elsewhere is enough: a relay would skip events, a new one too.
     *
     * @return what the relay's position is saved under
     */
    private static String requireSameSystem(JournalConnection connection, RelayName relay, ServerIdentity identity)
            throws SQLException {
        JournalOrigin origin = JournalOrigin.of(connection, relay.value(), identity);
        if (origin.isForeign()) {
            throw foreign(relay, identity.current(), origin.other());
        }
        boolean mayNote = mayNote(connection);
        if (mayNote && identity.shown().isPresent() && !origin.known()) {
            note(connection, identity);
        }
        Optional<String> own = origin.own();
        if (mayNote && origin.upgraded()) {
            update(connection, TAKE_OVER, identity);
            own = own.filter(identity.kept()::equals);
        }
        return own.orElse(identity.current());
    }

    private static boolean mayNote(JournalConnection connection) throws SQLException {
        return connection.one(MAY_NOTE, row -> row.getBoolean(1));
    }

    /** Under which identifier the identity kept in the schema was seen: roles that do not see the one ask for the other. */
    static void note(JournalConnection connection, ServerIdentity identity) throws SQLException {
        update(connection, NOTE_CLUSTER, identity);
    }

    private static void update(JournalConnection connection, String sql, ServerIdentity identity) throws SQLException {
        connection.update(sql, identity.current(), identity.kept());
    }

    private static StoreException foreign(RelayName relay, String systemId, Optional<String> other) {
        return refuse(
                relay,
                (other.isEmpty()
                                ? "there are events with xids that this database cluster " + systemId
                                        + " has not given out yet, or that are written with another offset than"
                                        + " waybill.xid_offset tells"
                                : "a position in it was saved on the database cluster " + other.get() + ", but this is "
                                        + systemId)
                        + " (restored from a dump, or migrated): xids mean something else here, and events would"
                        + " be skipped",
                "Stop every relay of this journal and run `waybill adopt` or PostgresJournal.adopt once: every relay then goes on"
                        + " from where it stood in the copy.");
    }

    private static JournalPosition position(ResultSet row) throws SQLException {
        Point base = new Point(Snapshot.parse(row.getString(2)), Long.parseLong(row.getString(3)), row.getLong(4));
        @Nullable String target = row.getString(5);
        if (target == null) {
            return JournalPosition.atEndOf(base);
        }
        String next = Objects.requireNonNull(row.getString(6), "target_next");
        Point reached = new Point(Snapshot.parse(target), Long.parseLong(next), row.getLong(7));
        return new JournalPosition(base, reached, row.getLong(8), row.getLong(9));
    }

    static StoreException refuse(RelayName relay, String why, String remedy) {
        return new StoreRefusedException("Relay " + relay + " cannot read this journal: " + why + ". " + remedy);
    }
}
