package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction on a connection that is otherwise in autocommit. Whatever is thrown inside it, nothing of it is committed. */
public final class OwnTransaction {
    /** Whatever the database said: what was committed is not to be done again. */
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

    /** After the transaction has ended. A connection that does not go back to how it came is closed. */
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

    /** Cuts the connection: a pool that gets it back must not commit what is open on it either. */
    private static void destroy(Connection connection, Throwable because) {
        try {
            BorrowedConnection.drop(connection);
        } catch (Throwable e) {
            because.addSuppressed(e);
        }
    }
}
