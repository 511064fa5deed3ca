package dev.waybill.jdbc;

import dev.waybill.InboxException;
import dev.waybill.Transactions;
import dev.waybill.jdbc.kernel.OwnTransaction;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Transactions on connections of a data source, preferably a pool. Safe for use by many threads. */
public final class JdbcTransactions implements Transactions<Connection> {
    private final DataSource dataSource;

    private JdbcTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public static JdbcTransactions on(DataSource dataSource) {
        return new JdbcTransactions(dataSource);
    }

    @Override
    public <R, E extends Exception> R call(Work<Connection, R, E> work) throws E {
        Open open = open();
        Connection connection = open.connection();
        try {
            R result = work.in(connection);
            commit(connection);
            return result;
        } catch (Throwable e) {
            OwnTransaction.undo(connection, e);
            FailureKind kind = FailureKind.of(e);
            if (kind == FailureKind.CONFLICT) {
                throw new TransactionConflictException(
                        "The transaction was rolled back by a conflict with another one.", e);
            }
            // A handler may use other systems that are unavailable; that is not a failure of this database.
            boolean own = e instanceof InboxException || e instanceof CommitFailedException;
            if ((own && kind == FailureKind.UNAVAILABLE) || isCutOff(connection)) {
                throw unavailable("interrupted the transaction", e);
            }
            throw e;
        } finally {
            close(open);
        }
    }

    /** @param autoCommit the connection's original setting */
    private record Open(Connection connection, boolean autoCommit) {}

    private Open open() {
        try {
            Connection connection = dataSource.getConnection();
            try {
                Open open = new Open(connection, connection.getAutoCommit());
                connection.setAutoCommit(false);
                return open;
            } catch (Throwable e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw unavailable("cannot be reached", e);
        }
    }

    private static TransactionsUnavailableException unavailable(String what, Throwable cause) {
        return new TransactionsUnavailableException("The database " + what + " (" + cause.getMessage() + ").", cause);
    }

    private static void commit(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new CommitFailedException(e);
        }
    }

    /** Some drivers only close the connection. */
    private static boolean isCutOff(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    /** Returns the connection to its pool with its original setting, or aborts it if that fails. */
    private static void close(Open open) {
        try (Connection connection = open.connection()) {
            if (!connection.isClosed()) {
                OwnTransaction.giveBack(connection, open.autoCommit());
            }
        } catch (SQLException e) {
            // The transaction has ended in any case; a pool replaces a connection that cannot be closed.
            return;
        }
    }

    /** The commit was refused, for example by a deferred constraint, or interrupted with an unknown result. */
    private static final class CommitFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CommitFailedException(SQLException cause) {
            super("The commit failed: " + cause.getMessage(), cause);
        }
    }
}
