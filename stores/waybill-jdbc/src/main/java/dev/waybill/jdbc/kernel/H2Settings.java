package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The settings of a session of H2 that a relay changes. */
public record H2Settings(int isolation, int lockTimeout) implements SessionSettings {
    private static final String FIND_H2 = "select lock_timeout()";

    public static H2Settings apply(Connection connection) throws SQLException {
        int isolation = connection.getTransactionIsolation();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(FIND_H2)) {
            row.next();
            int lockTimeout = row.getInt(1);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            return new H2Settings(isolation, lockTimeout);
        }
    }

    @Override
    public void restore(Connection connection) throws SQLException {
        connection.setTransactionIsolation(isolation);
        try (Statement statement = connection.createStatement()) {
            statement.execute(restoreH2(lockTimeout));
        }
    }

    private static String restoreH2(int lockTimeout) {
        return "set lock_timeout " + lockTimeout;
    }
}
