package dev.waybill.postgres;

import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.jdbc.kernel.Connecting;
import dev.waybill.jdbc.kernel.PostgresSettings;
import dev.waybill.jdbc.kernel.StoreConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * One connection for one session's whole life: what the session remembers is true only of the server process it read from,
 * so the connection is never replaced, and after the first failure it is of no more use.
 */
final class JournalConnection extends StoreConnection {
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

    private final int backendPid;

    private JournalConnection(int backendPid, BorrowedConnection borrowed) {
        super(borrowed);
        this.backendPid = backendPid;
    }

    static JournalConnection open(DataSource dataSource) throws SQLException {
        Connection connection = Connecting.to(dataSource);
        try {
            PoolerCheck.requireOwnSession(connection, dataSource);
            BorrowedConnection borrowed =
                    BorrowedConnection.prepare(connection, fresh -> PostgresSettings.apply(fresh, APPLY_SETTINGS));
            return new JournalConnection(PoolerCheck.backendPid(connection), borrowed);
        } catch (Throwable e) {
            BorrowedConnection.drop(connection);
            throw e;
        }
    }

    /** @param what is being done, for the error */
    static <R> R once(DataSource dataSource, String what, Work<JournalConnection, R> work) {
        return once(() -> open(dataSource), what, work);
    }

    /** For work on the whole table. */
    JournalConnection withoutTimeout() throws SQLException {
        connection().setNetworkTimeout(Runnable::run, 0);
        execute(NO_STATEMENT_TIMEOUT);
        return this;
    }

    /** From now on a server that does not answer within this time counts as lost. */
    void waitForAnswers(int millis) throws SQLException {
        connection().setNetworkTimeout(Runnable::run, millis);
    }

    int backendPid() {
        return backendPid;
    }

    @Override
    protected PreparedStatement prepareFirst(String text) throws SQLException {
        return connection().prepareStatement(text);
    }

    void requireSameBackend() throws SQLException {
        requireSameBackend(one(PostgresJournalSql.BACKEND_PID, row -> row.getInt(1)));
    }

    /** The pid the server answers with must be the one the session began with: a pooler may have put another in between. */
    void requireSameBackend(int pid) {
        if (pid != backendPid) {
            throw PoolerCheck.moved(backendPid, pid);
        }
    }
}
