package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings of a session of MariaDB that a relay changes. */
public final class MariaDbSettings implements SessionSettings {
    /** MariaDB 11.1 introduced a second name for the isolation level. */
    private static final String FIND_MARIADB = """
            show session variables where variable_name in
                ('time_zone', 'tx_isolation', 'transaction_isolation', 'optimizer_switch', 'innodb_lock_wait_timeout')""";

    /**
     * With outdated statistics MariaDB would materialize the whole side table instead of looking up a few rows, so these
     * optimizations of {@code exists} are switched off.
     */
    private static final String APPLY_MARIADB = """
            set session time_zone = '+00:00', session tx_isolation = 'READ-COMMITTED',
                session optimizer_switch = 'exists_to_in=off'""";

    private final Map<String, String> before;

    private MariaDbSettings(Map<String, String> before) {
        this.before = before;
    }

    public static MariaDbSettings apply(Connection connection) throws SQLException {
        Map<String, String> before = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery(FIND_MARIADB)) {
                while (row.next()) {
                    before.put(row.getString(1), row.getString(2));
                }
            }
            statement.execute(APPLY_MARIADB);
        }
        return new MariaDbSettings(before);
    }

    @Override
    public void restore(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(restoreMariaDb(before.keySet()))) {
            int next = 1;
            for (String value : before.values()) {
                // MariaDB does not accept a number as text.
                if (value.chars().allMatch(Character::isDigit)) {
                    statement.setLong(next++, Long.parseLong(value));
                } else {
                    statement.setString(next++, value);
                }
            }
            statement.execute();
        }
    }

    private static String restoreMariaDb(Collection<String> names) {
        return "set " + names.stream().map(name -> "session " + name + " = ?").collect(Collectors.joining(", "));
    }
}
