package dev.waybill.jdbc;

import dev.waybill.InboxException;
import dev.waybill.Transactions;
import dev.waybill.jdbc.kernel.OwnTransaction;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsAwayException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Transactions on connections of a data source; a pool serves best. Safe for use by many threads. */
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
                throw new TransactionConflictException("The transaction lost against another one.", e);
            }
            // What else a handler needs may be away, too: then it is not for this database to say so.
            boolean own = e instanceof InboxException || e instanceof CommitFailedException;
            if ((own && kind == FailureKind.AWAY) || isCutOff(connection)) {
                throw away("cut the transaction off", e);
            }
            throw e;
        } finally {
            close(open);
        }
    }

    /** @param autoCommit as the connection came */
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
            throw away("cannot be reached", e);
        }
    }

    private static TransactionsAwayException away(String what, Throwable cause) {
        return new TransactionsAwayException("The database " + what + " (" + cause.getMessage() + ").", cause);
    }

    private static void commit(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new CommitFailedException(e);
        }
    }

    /** Some drivers say so only by closing the connection. */
    private static boolean isCutOff(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    /** Back to its pool as it came; one that cannot is cut, since the next to use it would not know of it. */
    private static void close(Open open) {
        try (Connection connection = open.connection()) {
            if (!connection.isClosed()) {
                OwnTransaction.giveBack(connection, open.autoCommit());
            }
        } catch (SQLException e) {
            // The transaction has ended either way; a pool replaces what does not close.
            return;
        }
    }

    /** The commit itself was refused, as a deferred constraint does; or cut off, and then nobody knows. */
    private static final class CommitFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CommitFailedException(SQLException cause) {
            super("The commit failed: " + cause.getMessage(), cause);
        }
    }
}
