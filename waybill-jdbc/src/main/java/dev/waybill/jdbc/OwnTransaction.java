package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction on a connection that is otherwise in autocommit. Whatever is thrown inside it, nothing of it is committed. */
final class OwnTransaction {
    private OwnTransaction() {}

    static <R> R on(Connection connection, JournalConnection.Work<R> work) throws SQLException {
        connection.setAutoCommit(false);
        R result;
        try {
            result = work.run();
            connection.commit();
        } catch (Throwable e) {
            undo(connection, e);
            throw e;
        }
        backToAutocommit(connection);
        return result;
    }

    /** Rolls back and returns to autocommit. That would commit, so a connection that cannot roll back is closed instead. */
    static void undo(Connection connection, Throwable because) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (Throwable e) {
            because.addSuppressed(e);
            destroy(connection, because);
        }
    }

    /** After the transaction has ended. A connection that fails to is closed. */
    static void backToAutocommit(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(true);
        } catch (Throwable e) {
            destroy(connection, e);
            throw e;
        }
    }

    /** Cuts the connection: a pool that gets it back must not commit what is open on it either. */
    private static void destroy(Connection connection, Throwable because) {
        try (connection) {
            connection.abort(Runnable::run);
        } catch (Throwable e) {
            because.addSuppressed(e);
        }
    }
}
