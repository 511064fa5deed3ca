package dev.waybill.postgres.journal;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.jdbc.kernel.Statements;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The environment a database is bound to. A clone of the storage keeps the cluster's identifier and all positions, so only a name
 * from outside the database shows that a staging process reads a copy of production.
 */
public final class JournalEnvironment {
    private static final String BOUND_TO = "select name from waybill.environment";

    private static final String BIND =
            "insert into waybill.environment (name) values (?) on conflict (only_row) do nothing";

    private static final String REBIND = """
            insert into waybill.environment (name) values (?)
            on conflict (only_row) do update set name = excluded.name, bound_at = clock_timestamp()""";

    private static final int LONGEST = 100;

    private JournalEnvironment() {}

    public static void requireName(String name) {
        if (name.isBlank() || name.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "An environment's name has 1 to " + LONGEST + " characters, not " + name.length() + ".");
        }
    }

    /** Binds the database on first use. Throws if it is bound to another environment. */
    static void require(JournalConnection connection, RelayName relay, Optional<String> configured)
            throws SQLException {
        if (configured.isEmpty()) {
            return;
        }
        String own = configured.get();
        Optional<String> bound = bound(connection);
        if (bound.isEmpty()) {
            connection.update(BIND, own);
            bound = bound(connection);
        }
        String other = bound.orElse(own);
        if (!other.equals(own)) {
            throw JournalInspection.refusal(
                    relay,
                    "this database is bound to the environment " + other + ", and this process is configured for " + own
                            + " (a copy of another environment's database, or a wrong address)",
                    "If this copy now belongs to " + own + ", run `waybill adopt --environment " + own
                            + "` on it once, or PostgresJournal.bindEnvironment.");
        }
    }

    public static Optional<String> bound(Statements connection) throws SQLException {
        return connection.first(BOUND_TO, row -> row.getString(1));
    }

    public static void bind(JournalConnection connection, String name, Actor by) throws SQLException {
        requireName(name);
        connection.inTransaction(() -> {
            Optional<String> before = bound(connection);
            connection.update(REBIND, name);
            new JournalAudit(connection, by, "bind-environment", "")
                    .write(name + before.map(old -> ", before: " + old).orElse(""));
            return name;
        });
    }
}
