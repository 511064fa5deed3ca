package dev.waybill.jdbc;

import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection for one session's whole life: what the session remembers is true only of the server process it read from,
 * so the connection is never replaced, and after the first failure it is of no more use.
 */
final class JournalConnection {
    private static final Logger log = LoggerFactory.getLogger(JournalConnection.class);

    private final Connection connection;
    private final int backendPid;
    private final Borrowed before;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /** A piece of work on the connection. */
    interface Work<R> {
        R run() throws SQLException;
    }

    /** Something asked over a connection of its own. */
    interface Query<R> {
        R on(JournalConnection connection) throws SQLException;
    }

    private JournalConnection(Connection connection, int backendPid, Borrowed before) {
        this.connection = connection;
        this.backendPid = backendPid;
        this.before = before;
    }

    static JournalConnection open(DataSource dataSource) throws SQLException {
        Connection connection = Connecting.to(dataSource);
        try {
            Borrowed before = Borrowed.prepare(connection);
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(PostgresJournalSql.BACKEND_PID)) {
                row.next();
                return new JournalConnection(connection, row.getInt(1), before);
            }
        } catch (Throwable e) {
            // A pool must not get it back with half of the settings.
            cut(connection);
            closeQuietly(connection);
            throw e;
        }
    }

    /** How the connection came: a pool gets it back so. */
    private record Borrowed(boolean autoCommit, boolean readOnly, int networkTimeout, SessionSettings settings) {
        static Borrowed prepare(Connection connection) throws SQLException {
            boolean autoCommit = connection.getAutoCommit();
            boolean readOnly = connection.isReadOnly();
            int networkTimeout = connection.getNetworkTimeout();
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
            connection.setNetworkTimeout(Runnable::run, Connecting.NETWORK_TIMEOUT_MILLIS);
            return new Borrowed(autoCommit, readOnly, networkTimeout, SessionSettings.apply(connection));
        }

        void restore(Connection connection) throws SQLException {
            settings.restore(connection);
            connection.setReadOnly(readOnly);
            connection.setAutoCommit(autoCommit);
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        }
    }

    /** @param what is being done, for the error */
    static <R> R query(DataSource dataSource, String what, Query<R> query) {
        try {
            JournalConnection connection = open(dataSource);
            try {
                return query.on(connection);
            } finally {
                connection.closeQuietly();
            }
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    /** For work on the whole table. */
    JournalConnection withoutTimeout() throws SQLException {
        connection.setNetworkTimeout(Runnable::run, 0);
        prepare(PostgresJournalSql.NO_STATEMENT_TIMEOUT).execute();
        return this;
    }

    /** From now on a server that does not answer for so long is lost. */
    void waitForAnswers(int millis) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    int backendPid() {
        return backendPid;
    }

    /** The statement, prepared once. */
    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    java.sql.Array array(String type, Object[] values) throws SQLException {
        return connection.createArrayOf(type, values);
    }

    <R> R inTransaction(Work<R> work) throws SQLException {
        return OwnTransaction.on(connection, work);
    }

    void requireSameBackend() throws SQLException {
        try (ResultSet row = prepare(PostgresJournalSql.BACKEND_PID).executeQuery()) {
            row.next();
            requireSameBackend(row.getInt(1));
        }
    }

    /** The pid the server answers with must be the one the session began with: a pooler may have put another in between. */
    void requireSameBackend(int pid) {
        if (pid != backendPid) {
            throw new StoreRefusedException("The journal's connection moved from server process " + backendPid + " to "
                    + pid + " between two statements: something between Waybill and PostgreSQL pools connections by"
                    + " transaction. Connect to PostgreSQL directly, or through a pooler in session mode.");
        }
    }

    static StoreException failed(String what, SQLException e) {
        SQLException safe = ServerError.withoutRows(e);
        return new StoreException(
                "PostgreSQL failed while " + what + " (SQLSTATE " + e.getSQLState() + "): " + safe.getMessage(), safe);
    }

    /** A connection that does not take its old settings back is of no use to a pool either. */
    void closeQuietly() {
        try {
            if (!connection.isClosed()) {
                before.restore(connection);
            }
        } catch (SQLException e) {
            log.debug("A connection cannot be given back as it came; it is dropped.", e);
            cut(connection);
        } catch (RuntimeException | Error e) {
            cut(connection);
            throw e;
        } finally {
            closeQuietly(connection);
        }
    }

    /** Ends the connection at once, also while another thread waits for an answer on it. */
    void cut() {
        cut(connection);
    }

    private static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            log.debug("Cutting a connection failed.", e);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("Closing a connection failed; it is dropped.", e);
        }
    }
}
