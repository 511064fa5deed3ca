package dev.waybill.postgres;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.OwnTransaction;
import dev.waybill.jdbc.kernel.SchemaLockSql;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The schema {@code waybill} of the journal: created and brought up to date by {@link #create}, or printed for those who keep
 * their schema with Flyway or Liquibase.
 */
public final class JournalSchema {
    static final String SCHEMA_VERSION = "select coalesce(max(version), 0) from waybill.schema_version";

    /** As the driver writes it. */
    private static final String TRUE = "t";

    /** Like {@link SchemaLockSql#LOCK_SCHEMA}, without waiting. */
    private static final String TRY_LOCK_SCHEMA = "select pg_try_advisory_xact_lock(hashtext('waybill schema'))";

    /** Who has that lock. Everybody may take it: an advisory lock needs no right. */
    private static final String WHO_LOCKS_SCHEMA = """
            select string_agg(coalesce(a.usename, 'unknown user') || ', pid ' || l.pid, '; ' order by l.pid)
              from pg_locks l left join pg_stat_activity a on a.pid = l.pid
             where l.locktype = 'advisory' and l.granted and l.objsubid = 1
               and l.database = (select d.oid from pg_database d where d.datname = current_database())
               and ((l.classid::bigint << 32) | l.objid::bigint) = hashtext('waybill schema')::bigint""";

    static final String CREATE_VERSIONS = """
            create schema if not exists waybill;
            create table if not exists waybill.schema_version (
                version    integer     primary key,
                name       text        not null,
                applied_at timestamptz not null default clock_timestamp()
            )""";

    /** Neither seq nor xid nor created_at: the database gives those. */
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
            grant select, insert, update, delete on waybill.parked, waybill.window_log to %1$s;
            grant select, update on waybill.replay to %1$s;
            grant insert on waybill.audit to %1$s;
            grant select, delete on waybill.discarded to %1$s;
            grant select on waybill.identity, waybill.xid_offset to %1$s;
            grant select, insert on waybill.cluster, waybill.environment to %1$s;
            grant execute on function waybill.own_xids() to %1$s;
            """;

    /** What they had before. */
    private static final String REVOKE_FROM_PEOPLE = """
            revoke all on all tables in schema waybill from %1$s;
            revoke all on all sequences in schema waybill from %1$s;
            revoke all on all functions in schema waybill from %1$s;
            """;

    /** Neither payloads and headers nor keys and the ids they are made of. */
    private static final String GRANT_VIEWER = """
            grant usage on schema waybill to %1$s;
            grant select (xid, seq, id, type, version, aggregate_type, aggregate_version, topic, content_type, created_at)
                on waybill.event to %1$s;
            grant select on waybill.relay, waybill.lease, waybill.dropped, waybill.parked, waybill.window_log, waybill.replay,
                waybill.discarded, waybill.audit, waybill.identity, waybill.xid_offset, waybill.cluster, waybill.environment,
                waybill.schema_version to %1$s;
            grant select on sequence waybill.event_seq_seq to %1$s;
            grant execute on function waybill.payload_length(uuid), waybill.replay_means(text, bigint), waybill.own_xids(),
                waybill.note_denial(text, text, text, text, text) to %1$s;
            """;

    /** Everything that changes something is a function with its entry in the audit. */
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

    private static final List<Migration> MIGRATIONS = List.of(
            new Migration(1, "journal"),
            new Migration(2, "replay"),
            new Migration(3, "discarded"),
            new Migration(4, "lease"),
            new Migration(5, "sizes"),
            new Migration(6, "servers"),
            new Migration(7, "xid_offset"),
            new Migration(8, "names"),
            new Migration(9, "people"));

    private record Migration(int version, String name) {
        String sql() {
            String file = "journal/V" + version + "__" + name + ".sql";
            try (InputStream in = JournalSchema.class.getResourceAsStream(file)) {
                if (in == null) {
                    throw new IllegalStateException(file + " is missing from the jar.");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read " + file, e);
            }
        }

        String record() {
            return "insert into waybill.schema_version (version, name) values (" + version + ", '" + name + "');\n";
        }
    }

    /** Longer than any migration of a journal should take; whoever waits in vain is told for whom. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private JournalSchema() {}

    /**
     * Creates what is missing, in one transaction; does nothing when all is there. Several processes may call it at once: each
     * waits up to a minute for the others.
     *
     * @param connection of a role that may create a schema; committed if it was in autocommit, else left to the caller
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

    /** Asks again and again: whoever may connect can hold this lock, for ever and without being told. */
    private static void lock(Statement statement, Duration patience) throws SQLException {
        long begin = System.nanoTime();
        while (!TRUE.equals(text(statement, TRY_LOCK_SCHEMA))) {
            if (System.nanoTime() - begin >= patience.toNanos()) {
                throw new SQLException(
                        "The schema waybill is being created or changed by somebody else, or locked, for "
                                + patience.toSeconds() + " s ("
                                + Optional.ofNullable(text(statement, WHO_LOCKS_SCHEMA))
                                        .orElse("whoever it was has just let go")
                                + "): try again; if that session is not another Waybill's init, end it"
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
            statement.execute(CREATE_VERSIONS);
            int current;
            try (ResultSet row = statement.executeQuery(SCHEMA_VERSION)) {
                row.next();
                current = row.getInt(1);
            }
            int newest = newestVersion();
            if (current > newest) {
                throw new SQLException("The schema waybill has version " + current + ", this Waybill knows up to "
                        + newest + ": use a Waybill at least as new as the one that made it.");
            }
            int applied = 0;
            for (Migration migration : MIGRATIONS) {
                if (migration.version() > current) {
                    statement.execute(migration.sql());
                    statement.execute(migration.record());
                    applied++;
                }
            }
            return applied;
        }
    }

    static int newestVersion() {
        return MIGRATIONS.get(MIGRATIONS.size() - 1).version();
    }

    /** Everything {@link #create} would run on an empty database. */
    public static String script() {
        StringBuilder script = new StringBuilder(CREATE_VERSIONS).append(";\n\n");
        for (Migration migration : MIGRATIONS) {
            script.append(migration.sql()).append('\n').append(migration.record());
        }
        return script.toString();
    }

    /** Gives the roles what they need, and no more; running it again changes nothing. */
    public static void grant(Connection connection, DatabaseRoles roles) throws SQLException {
        execute(connection, grants(roles));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The statements of {@link #grant}. What people had before is taken back: name all that one role is to be at once. */
    public static String grants(DatabaseRoles roles) {
        StringBuilder grants = new StringBuilder();
        append(grants, roles.viewer(), REVOKE_FROM_PEOPLE);
        append(grants, roles.operator(), REVOKE_FROM_PEOPLE);
        append(grants, roles.revealer(), REVOKE_FROM_PEOPLE);
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
