package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of a session of MariaDB that a relay changes. */
public final class MariaDbSettings implements SessionSettings {
    private final Map<String, String> before;

    private MariaDbSettings(Map<String, String> before) {
        this.before = before;
    }

    public static MariaDbSettings apply(Connection connection) throws SQLException {
        Map<String, String> before = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery(SessionSettingsSql.FIND_MARIADB)) {
                while (row.next()) {
                    before.put(row.getString(1), row.getString(2));
                }
            }
            statement.execute(SessionSettingsSql.APPLY_MARIADB);
        }
        return new MariaDbSettings(before);
    }

    @Override
    public void restore(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(SessionSettingsSql.restoreMariaDb(before.keySet()))) {
            int next = 1;
            for (String value : before.values()) {
                // A number is not taken as a text.
                if (value.chars().allMatch(Character::isDigit)) {
                    statement.setLong(next++, Long.parseLong(value));
                } else {
                    statement.setString(next++, value);
                }
            }
            statement.execute();
        }
    }
}
