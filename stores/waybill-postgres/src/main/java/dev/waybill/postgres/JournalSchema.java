package dev.waybill.postgres;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.OwnTransaction;
import dev.waybill.jdbc.kernel.SchemaLockSql;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import dev.waybill.postgres.journal.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The schema {@code waybill} of the journal. {@link #create} creates or upgrades it; {@link #script} and {@link #grants} return
 * the statements for Flyway or Liquibase.
 */
public final class JournalSchema {
    private static final String TRUE = "t";

    /** Like {@link SchemaLockSql#LOCK_SCHEMA}, without waiting. */
    private static final String TRY_LOCK_SCHEMA = "select pg_try_advisory_xact_lock(hashtext('waybill schema'))";

    /** Holders of that lock. An advisory lock needs no privilege, so any role may hold it. */
    private static final String WHO_LOCKS_SCHEMA = """
            select string_agg(coalesce(a.usename, 'unknown user') || ', pid ' || l.pid, '; ' order by l.pid)
              from pg_locks l left join pg_stat_activity a on a.pid = l.pid
             where l.locktype = 'advisory' and l.granted and l.objsubid = 1
               and l.database = (select d.oid from pg_database d where d.datname = current_database())
               and ((l.classid::bigint << 32) | l.objid::bigint) = hashtext('waybill schema')::bigint""";

    /** Without seq, xid and created_at, which are set by defaults. */
    private static final String GRANT_PRODUCER = """
            grant usage on schema waybill to %1$s;
            grant insert (id, type, version, aggregate_type, aggregate_id, aggregate_version, topic, key, payload,
                payload_bytes, content_type, headers) on waybill.event to %1$s;
            """;

    private static final String GRANT_RELAY = """
            grant usage on schema waybill to %1$s;
            grant select, delete on waybill.event to %1$s;
            grant select on sequence waybill.event_seq_seq to %1$s;
            grant usage on sequence waybill.epoch to %1$s;
            grant select on waybill.schema_version to %1$s;
            grant select, insert, update on waybill.relay, waybill.lease to %1$s;
            grant select on waybill.dropped to %1$s;
            grant select, insert, update, delete on waybill.parked, waybill.window_log, waybill.process, waybill.open_window
                to %1$s;
            grant select, update on waybill.replay to %1$s;
            grant insert on waybill.audit to %1$s;
            grant select, delete on waybill.discarded to %1$s;
            grant select on waybill.identity, waybill.xid_offset to %1$s;
            grant select, insert on waybill.cluster, waybill.environment to %1$s;
            grant execute on function waybill.own_xids() to %1$s;
            """;

    /** Removes earlier privileges of viewers, operators and revealers. */
    private static final String REVOKE = """
            revoke all on all tables in schema waybill from %1$s;
            revoke all on all sequences in schema waybill from %1$s;
            revoke all on all functions in schema waybill from %1$s;
            """;

    /** Without payloads, headers, keys and aggregate ids. */
    private static final String GRANT_VIEWER = """
            grant usage on schema waybill to %1$s;
            grant select (xid, seq, id, type, version, aggregate_type, aggregate_version, topic, content_type, created_at)
                on waybill.event to %1$s;
            grant select on waybill.relay, waybill.lease, waybill.dropped, waybill.parked, waybill.window_log, waybill.replay,
                waybill.discarded, waybill.audit, waybill.identity, waybill.xid_offset, waybill.cluster, waybill.environment,
                waybill.schema_version, waybill.process, waybill.open_window to %1$s;
            grant select on sequence waybill.event_seq_seq to %1$s;
            grant execute on function waybill.payload_length(uuid), waybill.replay_means(text, bigint), waybill.own_xids(),
                waybill.note_denial(text, text, text, text, text) to %1$s;
            """;

    /** Every change is a function that writes an audit entry. */
    private static final String GRANT_OPERATOR = GRANT_VIEWER + """
            grant select (key, aggregate_id) on waybill.event to %1$s;
            grant execute on function waybill.note_act(text, text, text, text, text),
                waybill.requeue(text, bigint[], text, text, text, text),
                waybill.discard(text, bigint[], text, text, text, text), waybill.set_paused(text, boolean, text, text),
                waybill.drop_relay(text, text, text), waybill.restore_relay(text, text, text),
                waybill.start_replay(text, bigint, bigint, timestamptz, timestamptz, text, text, text, text, text, text),
                waybill.set_replay_total(text, bigint, boolean), waybill.cancel_replay(text, text, text),
                waybill.end_cancelled_replay(text, bigint, boolean, text, text) to %1$s;
            """;

    private static final String GRANT_REVEALER = """
            grant usage on schema waybill to %1$s;
            grant execute on function waybill.ask_payload(uuid, text, text), waybill.payload(bigint) to %1$s;
            """;

    /** Needs no other privilege than an append, and inserts no row. */
    private static final String APPEND_NOTHING = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            select '', '', '', '{}' where false""";

    /** Longer than a migration should take. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private JournalSchema() {}

    /**
     * Applies the missing migrations in one transaction. Several processes may call it at once: each waits up to a minute for
     * the others.
     *
     * @param connection of a role that may create a schema; committed if in autocommit mode, otherwise left to the caller
     * @return how many migrations were applied
     */
    public static int create(Connection connection) throws SQLException {
        return create(connection, PATIENCE);
    }

    static int create(Connection connection, Duration patience) throws SQLException {
        if (!connection.getAutoCommit()) {
            return migrate(connection, patience);
        }
        return OwnTransaction.on(connection, () -> {
            execute(connection, SchemaLockSql.SEE_WHAT_OTHERS_COMMIT);
            return migrate(connection, patience);
        });
    }

    /** Polls instead of waiting, since any role may hold this lock without limit. */
    private static void lock(Statement statement, Duration patience) throws SQLException {
        long begin = System.nanoTime();
        while (!TRUE.equals(text(statement, TRY_LOCK_SCHEMA))) {
            if (System.nanoTime() - begin >= patience.toNanos()) {
                throw new SQLException(
                        "The schema waybill has been locked by another session for " + patience.toSeconds() + " s ("
                                + Optional.ofNullable(text(statement, WHO_LOCKS_SCHEMA))
                                        .orElse("it has just released the lock")
                                + "): try again; if that session is not another `waybill init`, end it"
                                + " (pg_terminate_backend). Nothing was changed.",
                        SchemaLockSql.LOCK_NOT_AVAILABLE);
            }
            statement.execute(SchemaLockSql.PAUSE);
        }
    }

    private static @Nullable String text(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static int migrate(Connection connection, Duration patience) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            lock(statement, patience);
            return Migrations.apply(statement);
        }
    }

    /**
     * Checks that the role of the connection can append events. Nothing is written.
     *
     * @throws SQLException if the schema does not exist, or the role lacks the privilege of a producer
     */
    public static void requireAppendable(Connection connection) throws SQLException {
        execute(connection, APPEND_NOTHING);
    }

    /** The statements that {@link #create} runs on an empty database. */
    public static String script() {
        return Migrations.script();
    }

    /** Grants each role the privileges it needs, and no more. May be repeated. */
    public static void grant(Connection connection, DatabaseRoles roles) throws SQLException {
        execute(connection, grants(roles));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * The statements of {@link #grant}. They first revoke what viewers, operators and revealers had: name everything that one
     * role is to be in one call.
     */
    public static String grants(DatabaseRoles roles) {
        StringBuilder grants = new StringBuilder();
        append(grants, roles.viewer(), REVOKE);
        append(grants, roles.operator(), REVOKE);
        append(grants, roles.revealer(), REVOKE);
        append(grants, roles.producer(), GRANT_PRODUCER);
        append(grants, roles.relay(), GRANT_RELAY);
        append(grants, roles.viewer(), GRANT_VIEWER);
        append(grants, roles.operator(), GRANT_OPERATOR);
        append(grants, roles.revealer(), GRANT_REVEALER);
        return grants.toString();
    }

    private static void append(StringBuilder grants, Optional<String> role, String statements) {
        role.map(SqlIdentifier::quoteRole).map(statements::formatted).ifPresent(grants::append);
    }
}
