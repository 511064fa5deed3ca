package dev.waybill.jdbc.kernel;

import dev.waybill.admin.ClockSkew;
import dev.waybill.admin.Finding;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks of a PostgreSQL server that apply to every outbox.
 *
 * @param patience how long a transaction may be open without a warning
 */
public record PostgresCheckup(Examination examination, Duration patience) {
    private static final String SERVER = """
            select current_setting('server_version') as version,
                   current_setting('server_version_num')::int as version_number,
                   pg_is_in_recovery() as in_recovery,
                   %s as encoding,
                   current_user as role, current_database() as database,
                   coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
                   (select version from pg_stat_ssl where pid = pg_backend_pid()) as protocol,
                   coalesce(inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1', true) as on_this_machine,
                   current_setting('fsync')::boolean and current_setting('full_page_writes')::boolean as survives_crashes,
                   extract(epoch from clock_timestamp()) as clock""".formatted(PostgresEncoding.OF_DATABASE);

    /** Settings of the database and the server; roles may override them. */
    private static final String SYNCHRONOUS_COMMIT = """
            select coalesce((select split_part(c, '=', 2) from pg_db_role_setting s, unnest(s.setconfig) c
                              where s.setdatabase = (select oid from pg_database where datname = current_database())
                                and s.setrole = 0 and c like 'synchronous_commit=%'),
                            (select reset_val from pg_settings where name = 'synchronous_commit'))""";

    /** The oldest session, prepared transaction, slot or standby that keeps vacuum from removing dead rows. */
    private static final String HORIZON = """
            select h.kind, h.who, h.xids, extract(epoch from clock_timestamp() - h.since) as seconds from (
                select 'session' as kind,
                       format('process %s of %s (%s) in database %s, %s', pid, usename,
                              coalesce(nullif(application_name, ''), 'without a name'), datname, state) as who,
                       greatest(age(backend_xmin), age(backend_xid)) as xids, xact_start as since
                  from pg_stat_activity
                 where (backend_xmin is not null or backend_xid is not null) and pid <> pg_backend_pid()
                   and backend_type = 'client backend'
                union all
                select 'prepared', format('prepared transaction %s of %s in database %s', gid, owner, database),
                       age(transaction), prepared
                  from pg_prepared_xacts
                union all
                select 'slot', format('replication slot %s', slot_name), greatest(age(xmin), age(catalog_xmin)), null
                  from pg_replication_slots where xmin is not null or catalog_xmin is not null
                union all
                select 'standby', format('standby %s, which feeds its oldest query back', application_name),
                       age(backend_xmin), null
                  from pg_stat_replication where backend_xmin is not null) h
             order by h.xids desc nulls last, h.since limit 1""";

    private static final String SEES_ALL_SESSIONS = "select pg_has_role(current_user, 'pg_read_all_stats', 'usage')";

    public static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int OLDEST_SERVER = 140_000;

    public void lookAtServer() {
        examination.look("connection", () -> examination.one(SERVER, PostgresCheckup::server));
        examination.look("encryption", () -> examination.one(SERVER, this::encryption));
        examination.look("durability", () -> examination.one(SERVER, this::durability));
        examination.look("clock", () -> {
            ClockSkew skew = ClockSkew.begin();
            return examination.one(SERVER, row -> skew.finding(row.getDouble("clock")));
        });
        examination.look("horizon", this::horizon);
    }

    private static Finding server(ResultSet row) throws SQLException {
        String what = "PostgreSQL " + row.getString("version") + ", database " + row.getString("database") + " as role "
                + row.getString("role");
        if (row.getInt("version_number") < OLDEST_SERVER) {
            return Finding.problem("connection", what, "Waybill needs PostgreSQL 14: upgrade the server.");
        }
        if (PostgresEncoding.isNone(row.getString("encoding"))) {
            return Finding.problem("connection", what + "; " + PostgresEncoding.PROBLEM, PostgresEncoding.REMEDY);
        }
        return row.getBoolean("in_recovery")
                ? Finding.problem(
                        "connection",
                        what + "; it is a standby, and relays refuse to read from one",
                        "Connect to the primary: name all hosts in the URL, with targetServerType=primary.")
                : Finding.fine("connection", what);
    }

    private Finding encryption(ResultSet row) throws SQLException {
        boolean near = row.getBoolean("on_this_machine");
        if (!row.getBoolean("encrypted")) {
            return near
                    ? Finding.fine("encryption", "none, and the connection does not leave the machine")
                    : Finding.warning(
                            "encryption",
                            "the connection crosses the network without TLS",
                            "Switch TLS on at the server, and put sslmode=verify-full into the URL.");
        }
        boolean verified = examination.connection().getMetaData().getURL().contains("sslmode=verify-");
        String what = row.getString("protocol");
        return verified || near
                ? Finding.fine("encryption", what + (verified ? ", the server's certificate is checked" : ""))
                : Finding.warning(
                        "encryption",
                        what + ", but the server's certificate is not checked: anybody could be the server",
                        "Put sslmode=verify-full into the URL, and sslrootcert if the certificate is your own.");
    }

    private Finding durability(ResultSet row) throws SQLException {
        if (!row.getBoolean("survives_crashes")) {
            return Finding.problem(
                    "durability",
                    "fsync or full_page_writes is off: a crash of the server can lose or damage what was committed",
                    "Switch both on.");
        }
        String commit = examination.one(SYNCHRONOUS_COMMIT, answer -> answer.getString(1));
        return commit.equals("off")
                ? Finding.warning(
                        "durability",
                        "synchronous_commit is off: an event may be published whose transaction a crash then undoes",
                        "Switch it on, or have relays wait for the flush (`wait-for: flush` on the store).")
                : Finding.fine("durability", "commits are on disk before they are seen");
    }

    private Finding horizon() throws SQLException {
        boolean seesAll = examination.one(SEES_ALL_SESSIONS, row -> row.getBoolean(1));
        Optional<Finding> held = examination.first(HORIZON, row -> held(row, seesAll));
        if (held.isPresent()) {
            return held.get();
        }
        return seesAll ? Finding.fine("horizon", "nothing holds it; vacuum can clear up") : unseen();
    }

    private Finding held(ResultSet row, boolean seesAll) throws SQLException {
        double seconds = row.getDouble("seconds");
        @Nullable Double since = row.wasNull() ? null : seconds;
        if (since == null || since * 1000 >= patience.toMillis()) {
            return held(row, since);
        }
        return seesAll ? Finding.fine("horizon", "young: the oldest is " + row.getString("who")) : unseen();
    }

    private static Finding unseen() {
        return Finding.warning(
                "horizon",
                "this role cannot see other sessions' transactions",
                "Grant it pg_read_all_stats to see which session blocks vacuum.");
    }

    private static Finding held(ResultSet row, @Nullable Double since) throws SQLException {
        String what = "held by " + row.getString("who")
                + (since == null ? "" : String.format(Locale.ROOT, ", open for %.0f s", since))
                + ", " + row.getLong("xids") + " transactions ago; relays go on, but vacuum clears nothing away since";
        return Finding.warning(
                "horizon",
                what,
                switch (row.getString("kind")) {
                    case "session" ->
                        "Find out why it stays open, end it (pg_terminate_backend with its process number), and set"
                                + " idle_in_transaction_session_timeout.";
                    case "prepared" -> "Decide it: commit prepared, or rollback prepared.";
                    case "slot" -> "If nobody reads it any more: select pg_drop_replication_slot with its name.";
                    default -> "End its long query, or switch hot_standby_feedback off there.";
                });
    }
}
