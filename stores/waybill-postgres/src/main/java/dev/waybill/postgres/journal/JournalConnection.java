package dev.waybill.postgres.journal;

import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.jdbc.kernel.Connecting;
import dev.waybill.jdbc.kernel.LockHolders;
import dev.waybill.jdbc.kernel.PostgresSettings;
import dev.waybill.jdbc.kernel.StoreConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A connection that a session keeps until it ends. What a session remembers holds only for the server process it read from, so
 * the connection is never replaced and is unusable after its first failure.
 */
public final class JournalConnection extends StoreConnection {
    private static final String STATEMENT_TIMEOUT = "25s";
    private static final String LOCK_TIMEOUT = "10s";

    /**
     * Makes the planner read along indexes, even if the statistics are those of an empty table. Overrides time limits of the
     * database and the role: a statement ends before the network timeout, so that none continues on the server after its client
     * is gone. Settings that an older server does not know are left out.
     */
    private static final String APPLY_SETTINGS = """
            select s.name, case when s.source = 'session' then s.setting end, set_config(s.name, w.value, false)
              from (values ('default_transaction_isolation', 'read committed'), ('default_transaction_read_only', 'off'),
                           ('synchronous_commit', 'on'), ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'),
                           ('enable_sort', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('jit', 'off'),
                           ('plan_cache_mode', 'force_generic_plan'), ('statement_timeout', '%s'), ('lock_timeout', '%s'),
                           ('transaction_timeout', '0'), ('idle_session_timeout', '0'),
                           ('idle_in_transaction_session_timeout', '0')) w(name, value)
              join pg_settings s on s.name = w.name""".formatted(STATEMENT_TIMEOUT, LOCK_TIMEOUT);

    private static final String NO_STATEMENT_TIMEOUT = "set statement_timeout = 0";

    private static final String LIMIT_TIME =
            "select set_config('statement_timeout', ?, false), set_config('lock_timeout', ?, false)";

    /** Producers insert into the last one. */
    public static final LockHolders LOCK_HOLDERS = new LockHolders(
            List.of(
                    "waybill.relay",
                    "waybill.lease",
                    "waybill.parked",
                    "waybill.open_window",
                    "waybill.window_log",
                    "waybill.discarded",
                    "waybill.replay",
                    "waybill.process"),
            List.of("waybill.event"));

    private final int backendPid;

    private JournalConnection(int backendPid, BorrowedConnection borrowed) {
        super(borrowed);
        this.backendPid = backendPid;
    }

    public static JournalConnection open(DataSource dataSource) throws SQLException {
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

    /** @param what describes the work in errors */
    public static <R> R once(DataSource dataSource, String what, Work<JournalConnection, R> work) {
        return once(() -> open(dataSource), what, work);
    }

    /** For work on a whole table. */
    public JournalConnection withoutTimeout() throws SQLException {
        connection().setNetworkTimeout(Runnable::run, 0);
        execute(NO_STATEMENT_TIMEOUT);
        return this;
    }

    /** For work that should fail rather than wait. Afterwards the connection has its usual time limits again. */
    public <R> R briefly(Work<JournalConnection, R> work) throws SQLException {
        execute(LIMIT_TIME, "1s", "500ms");
        try {
            return work.on(this);
        } finally {
            execute(LIMIT_TIME, STATEMENT_TIMEOUT, LOCK_TIMEOUT);
        }
    }

    /** Sets the time after which a server that does not answer counts as lost. */
    public void waitForAnswers(int millis) throws SQLException {
        connection().setNetworkTimeout(Runnable::run, millis);
    }

    public int backendPid() {
        return backendPid;
    }

    @Override
    protected PreparedStatement prepareFirst(String text) throws SQLException {
        return connection().prepareStatement(text);
    }

    @Override
    protected Optional<LockHolders> lockHolders() {
        return Optional.of(LOCK_HOLDERS);
    }

    public void requireSameBackend() throws SQLException {
        requireSameBackend(one(PoolerCheck.BACKEND_PID, row -> row.getInt(1)));
    }

    /** @param pid of the process that answers; it differs from the first one behind a pooler in transaction mode */
    public void requireSameBackend(int pid) {
        if (pid != backendPid) {
            throw PoolerCheck.moved(backendPid, pid);
        }
    }
}
