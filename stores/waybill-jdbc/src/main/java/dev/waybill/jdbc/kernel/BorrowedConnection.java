package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection, possibly from a pool, with the settings that a store needs. It is returned with its original settings, or closed:
 * the application that uses it next must not commit asynchronously or have the relay's lock timeouts.
 */
public final class BorrowedConnection {
    /** Fails with the SQLSTATE of a lost connection; pools check its first two digits. */
    private static final String BREAK_H2 = "call signal('08003', 'ended by Waybill')";

    private static final Logger log = LoggerFactory.getLogger(BorrowedConnection.class);

    private final Connection connection;
    private final boolean autoCommit;
    private final boolean readOnly;
    private final int networkTimeout;
    private final SessionSettings before;

    private BorrowedConnection(Connection connection, boolean writes, SessionSettings.Applying settings)
            throws SQLException {
        this.connection = connection;
        this.autoCommit = connection.getAutoCommit();
        this.readOnly = connection.isReadOnly();
        this.networkTimeout = connection.getNetworkTimeout();
        connection.setAutoCommit(true);
        if (writes) {
            connection.setReadOnly(false);
        }
        connection.setNetworkTimeout(Runnable::run, Connecting.NETWORK_TIMEOUT_MILLIS);
        this.before = settings.to(connection);
    }

    /** If this fails, the caller discards the connection. */
    public static BorrowedConnection prepare(Connection connection, SessionSettings.Applying settings)
            throws SQLException {
        return new BorrowedConnection(connection, true, settings);
    }

    /**
     * For reading, in autocommit and with a network timeout.
     *
     * @param settings {@link SessionSettings#NONE} if the server's session may be shared
     */
    public static BorrowedConnection toLook(DataSource dataSource, SessionSettings.Applying settings)
            throws SQLException {
        Connection connection = Connecting.to(dataSource);
        try {
            return new BorrowedConnection(connection, false, settings);
        } catch (Throwable e) {
            drop(connection);
            throw e;
        }
    }

    public Connection connection() {
        return connection;
    }

    private void restore() throws SQLException {
        before.restore(connection);
        if (connection.isReadOnly() != readOnly) {
            connection.setReadOnly(readOnly);
        }
        connection.setAutoCommit(autoCommit);
        connection.setNetworkTimeout(Runnable::run, networkTimeout);
    }

    /** A connection whose settings cannot be restored is closed, so that a pool does not lend it again. */
    public void giveBack() {
        try {
            if (!connection.isClosed()) {
                restore();
            }
        } catch (SQLException e) {
            log.debug("The original settings of a connection cannot be restored; it is closed.", e);
            cut(connection);
        } catch (RuntimeException | Error e) {
            cut(connection);
            throw e;
        } finally {
            closeQuietly(connection);
        }
    }

    /** Aborts the connection, because a pool must not get it back with some settings changed. */
    public static void drop(Connection connection) {
        cut(connection);
        closeQuietly(connection);
    }

    /** Aborts the connection, even while another thread waits for an answer on it. */
    public static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
            if (!connection.isClosed()) {
                // H2 ignores abort, and HikariCP notices a lost connection only by an error.
                sayItIsBroken(connection);
            }
            if (!connection.isClosed()) {
                connection.unwrap(Connection.class).close();
            }
        } catch (SQLException e) {
            log.debug("Aborting a connection failed.", e);
        }
    }

    private static void sayItIsBroken(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(BREAK_H2);
        } catch (SQLException e) {
            log.debug("A pool was told that a connection is broken.", e);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("Closing a connection failed.", e);
        }
    }
}
