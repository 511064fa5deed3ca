package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of a session of PostgreSQL. */
public final class PostgresSettings implements SessionSettings {
    /** Null restores the setting of the role, the database or the server. */
    private static final String RESTORE_POSTGRESQL =
            "select set_config(x.name, x.value, false) from unnest(?::text[], ?::text[]) x(name, value)";

    /** Values by name; null for settings that were not set in the session. */
    private final Map<String, @Nullable String> before;

    private PostgresSettings(Map<String, @Nullable String> before) {
        this.before = before;
    }

    /** @param statement applies the settings and returns each name with its previous value in the session */
    public static PostgresSettings apply(Connection connection, String statement) throws SQLException {
        Map<String, @Nullable String> before = new HashMap<>();
        try (Statement apply = connection.createStatement();
                ResultSet row = apply.executeQuery(statement)) {
            while (row.next()) {
                before.put(row.getString(1), row.getString(2));
            }
        }
        return new PostgresSettings(before);
    }

    @Override
    public void restore(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RESTORE_POSTGRESQL)) {
            statement.setArray(
                    1, connection.createArrayOf("text", before.keySet().toArray()));
            statement.setArray(
                    2, connection.createArrayOf("text", before.values().toArray()));
            statement.execute();
        }
    }
}
