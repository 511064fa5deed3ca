package dev.waybill.postgres;

import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.jdbc.kernel.Connecting;
import dev.waybill.jdbc.kernel.OwnTransaction;
import dev.waybill.jdbc.kernel.PostgresSettings;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * One connection for one session's whole life: what the session remembers is true only of the server process it read from,
 * so the connection is never replaced, and after the first failure it is of no more use.
 */
final class JournalConnection {
    /**
     * The planner has nothing to decide: every read goes along an index in its order, also when the statistics are from an empty
     * table. Time limits of the database or the role are overridden: a statement ends a little before the network timeout,
     * so that none runs on at the server after its client is gone. What an older server does not know is left out.
     */
    private static final String APPLY_SETTINGS = """
            select s.name, case when s.source = 'session' then s.setting end, set_config(s.name, w.value, false)
              from (values ('default_transaction_isolation', 'read committed'), ('default_transaction_read_only', 'off'),
                           ('synchronous_commit', 'on'), ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'),
                           ('enable_sort', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('jit', 'off'),
                           ('plan_cache_mode', 'force_generic_plan'), ('statement_timeout', '25s'), ('lock_timeout', '10s'),
                           ('transaction_timeout', '0'), ('idle_session_timeout', '0'),
                           ('idle_in_transaction_session_timeout', '0')) w(name, value)
              join pg_settings s on s.name = w.name""";

    /** For work on the whole table. */
    private static final String NO_STATEMENT_TIMEOUT = "set statement_timeout = 0";

    private final Connection connection;
    private final int backendPid;
    private final BorrowedConnection borrowed;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /** Something asked over a connection of its own. */
    interface Query<R> {
        R on(JournalConnection connection) throws SQLException;
    }

    private JournalConnection(Connection connection, int backendPid, BorrowedConnection borrowed) {
        this.connection = connection;
        this.backendPid = backendPid;
        this.borrowed = borrowed;
    }

    static JournalConnection open(DataSource dataSource) throws SQLException {
        Connection connection = Connecting.to(dataSource);
        try {
            PoolerCheck.requireOwnSession(connection, dataSource);
            BorrowedConnection borrowed =
                    BorrowedConnection.prepare(connection, fresh -> PostgresSettings.apply(fresh, APPLY_SETTINGS));
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(PostgresJournalSql.BACKEND_PID)) {
                row.next();
                return new JournalConnection(connection, row.getInt(1), borrowed);
            }
        } catch (Throwable e) {
            BorrowedConnection.drop(connection);
            throw e;
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
        prepare(NO_STATEMENT_TIMEOUT).execute();
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

    <R> R inTransaction(SqlWork<R> work) throws SQLException {
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
            throw PoolerCheck.moved(backendPid, pid);
        }
    }

    static StoreException failed(String what, SQLException e) {
        SQLException safe = ServerError.withoutRows(e);
        return new StoreException(
                "PostgreSQL failed while " + what + " (SQLSTATE " + e.getSQLState() + "): " + safe.getMessage(), safe);
    }

    /** Back as it came. */
    void closeQuietly() {
        borrowed.giveBack();
    }

    /** Ends the connection at once, also while another thread waits for an answer on it. */
    void cut() {
        BorrowedConnection.cut(connection);
    }
}
