package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of the journal has set in its server session, and what was set before: a connection of a pool is given back
 * as it came.
 */
final class SessionSettings {
    /** By name; null for what was not set in the session. */
    private final Map<String, @Nullable String> before;

    private SessionSettings(Map<String, @Nullable String> before) {
        this.before = before;
    }

    static SessionSettings apply(Connection connection) throws SQLException {
        Map<String, @Nullable String> before = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(PostgresJournalSql.APPLY_SETTINGS)) {
            while (row.next()) {
                before.put(row.getString(1), row.getString(2));
            }
        }
        return new SessionSettings(before);
    }

    void restore(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PostgresJournalSql.RESTORE_SETTINGS)) {
            statement.setArray(
                    1, connection.createArrayOf("text", before.keySet().toArray()));
            statement.setArray(
                    2, connection.createArrayOf("text", before.values().toArray()));
            statement.execute();
        }
    }
}
