package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction on a connection that is otherwise in autocommit. If anything is thrown inside, it is rolled back. */
public final class OwnTransaction {
    /** SQLSTATE for an error after a successful commit, so that the transaction is not repeated. */
    private static final String CONNECTION_FAILS = "08000";

    private OwnTransaction() {}

    public static <R> R on(Connection connection, SqlWork<R> work) throws SQLException {
        connection.setAutoCommit(false);
        R result;
        try {
            result = work.run();
            connection.commit();
        } catch (Throwable e) {
            undo(connection, e);
            throw e;
        }
        try {
            giveBack(connection, true);
        } catch (SQLException e) {
            throw new SQLException(
                    "The transaction was committed, but its connection fails: " + e.getMessage(), CONNECTION_FAILS, e);
        }
        return result;
    }

    /** Rolls back and returns to autocommit. That would commit, so a connection that cannot roll back is closed instead. */
    public static void undo(Connection connection, Throwable because) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (Throwable e) {
            because.addSuppressed(e);
            destroy(connection, because);
        }
    }

    /** After the transaction has ended. A connection that cannot return to autocommit is closed. */
    public static void giveBack(Connection connection, boolean autoCommit) throws SQLException {
        try {
            if (connection.getAutoCommit() != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
        } catch (Throwable e) {
            destroy(connection, e);
            throw e;
        }
    }

    /** Aborts the connection, so that a pool cannot commit the open transaction. */
    private static void destroy(Connection connection, Throwable because) {
        try {
            BorrowedConnection.drop(connection);
        } catch (Throwable e) {
            because.addSuppressed(e);
        }
    }
}
