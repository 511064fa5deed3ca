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
        while (!PostgresSchemaSql.TRUE.equals(text(statement, PostgresSchemaSql.TRY_LOCK_SCHEMA))) {
            if (System.nanoTime() - begin >= patience.toNanos()) {
                throw new SQLException(
                        "The schema waybill is being created or changed by somebody else, or locked, for "
                                + patience.toSeconds() + " s ("
                                + Optional.ofNullable(text(statement, PostgresSchemaSql.WHO_LOCKS_SCHEMA))
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
            statement.execute(PostgresSchemaSql.CREATE_VERSIONS);
            int current;
            try (ResultSet row = statement.executeQuery(PostgresSchemaSql.SCHEMA_VERSION)) {
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
        StringBuilder script = new StringBuilder(PostgresSchemaSql.CREATE_VERSIONS).append(";\n\n");
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
        append(grants, roles.viewer(), PostgresSchemaSql.REVOKE_FROM_PEOPLE);
        append(grants, roles.operator(), PostgresSchemaSql.REVOKE_FROM_PEOPLE);
        append(grants, roles.revealer(), PostgresSchemaSql.REVOKE_FROM_PEOPLE);
        append(grants, roles.producer(), PostgresSchemaSql.GRANT_PRODUCER);
        append(grants, roles.relay(), PostgresSchemaSql.GRANT_RELAY);
        append(grants, roles.viewer(), PostgresSchemaSql.GRANT_VIEWER);
        append(grants, roles.operator(), PostgresSchemaSql.GRANT_OPERATOR);
        append(grants, roles.revealer(), PostgresSchemaSql.GRANT_REVEALER);
        return grants.toString();
    }

    private static void append(StringBuilder grants, Optional<String> role, String statements) {
        role.map(SqlIdentifier::quoteRole).map(statements::formatted).ifPresent(grants::append);
    }
}
