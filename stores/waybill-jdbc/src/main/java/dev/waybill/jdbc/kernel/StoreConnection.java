package dev.waybill.jdbc.kernel;

import dev.waybill.RelayName;
import dev.waybill.admin.PurgeStep;
import dev.waybill.spi.Counted;
import dev.waybill.spi.StoreException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A connection of a store with the statements that were prepared on it. Its owner keeps it until it fails. */
public abstract class StoreConnection implements Statements {
    private final Connection connection;
    private final BorrowedConnection borrowed;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /** Opens a connection. */
    public interface Opening<C extends StoreConnection> {
        C open() throws SQLException;
    }

    /** Work on a connection. */
    public interface Work<C extends StoreConnection, R> {
        R on(C connection) throws SQLException;
    }

    /** Writes an entry in the audit. */
    public interface AuditWriter {
        void write(String details) throws SQLException;
    }

    protected StoreConnection(BorrowedConnection borrowed) {
        this.connection = borrowed.connection();
        this.borrowed = borrowed;
    }

    /**
     * Runs the work on a connection that is opened for it and closed afterwards.
     *
     * @param what the action, for the error message
     */
    public static <C extends StoreConnection, R> R once(Opening<C> opening, String what, Work<C, R> work) {
        C connection = open(opening, what);
        try {
            return work.on(connection);
        } catch (SQLException e) {
            throw connection.failedHere(what, e);
        } finally {
            connection.closeQuietly();
        }
    }

    private static <C extends StoreConnection> C open(Opening<C> opening, String what) {
        try {
            return opening.open();
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    /**
     * Opens a session on a new connection, which the session owns; it is closed if no session is opened.
     *
     * @param relay for the error message
     */
    public static <C extends StoreConnection, S> Optional<S> session(
            Opening<C> opening, RelayName relay, Work<C, Optional<S>> work) {
        String what = "relay " + relay + " was opening its session";
        C connection = open(opening, what);
        boolean opened = false;
        try {
            Optional<S> session = work.on(connection);
            opened = session.isPresent();
            return session;
        } catch (SQLException e) {
            throw connection.failedHere(what, e);
        } finally {
            if (!opened) {
                connection.closeQuietly();
            }
        }
    }

    /**
     * Purges step by step, each in its own transaction. The last step writes an audit entry and, if there are several steps, the
     * first one too.
     */
    public final long purgeAll(Duration olderThan, SqlWork<PurgeStep> delete, AuditWriter audit) throws SQLException {
        long deleted = 0;
        boolean more = true;
        for (boolean first = true; more; first = false) {
            long before = deleted;
            boolean begins = first;
            PurgeStep step = inTransaction(() -> {
                PurgeStep done = delete.run();
                if (!done.more()) {
                    audit.write(Counted.of(before + done.deleted(), "event") + " older than " + olderThan);
                } else if (begins) {
                    audit.write("begun: events older than " + olderThan);
                }
                return done;
            });
            deleted += step.deleted();
            more = step.more();
        }
        return deleted;
    }

    protected final Connection connection() {
        return connection;
    }

    /** Returns the statement, which is prepared only once. */
    @Override
    public final PreparedStatement prepare(String text) throws SQLException {
        PreparedStatement statement = prepared.get(text);
        if (statement == null) {
            statement = prepareFirst(text);
            prepared.put(text, statement);
        }
        return statement;
    }

    /** Prepares a new statement. */
    protected abstract PreparedStatement prepareFirst(String text) throws SQLException;

    /** The statement stays open for its next use. */
    @Override
    public final void release(PreparedStatement statement) {}

    public final Array array(String type, Object[] values) throws SQLException {
        return connection.createArrayOf(type, values);
    }

    public final <R> R inTransaction(SqlWork<R> work) throws SQLException {
        return OwnTransaction.on(connection, work);
    }

    /** The tables whose locks this connection may wait for; empty if the database does not tell who holds them. */
    protected abstract Optional<LockHolders> lockHolders();

    /**
     * As {@link #failed(String, SQLException)}. If a lock was not available, the message names the sessions that hold it.
     *
     * @param what the action that failed on this connection, outside of a transaction
     */
    public final StoreException failedHere(String what, SQLException e) {
        String holders = "";
        if (SchemaLockSql.LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
            try {
                Optional<LockHolders> tables = lockHolders();
                holders = tables.isPresent() ? tables.get().afterTimeout(Statements.on(connection)) : "";
            } catch (SQLException unknown) {
                e.addSuppressed(unknown);
            }
        }
        return holders.isEmpty() ? failed(what, e) : failed(what, e, Optional.of(holders));
    }

    /** @param what the action that failed */
    public static StoreException failed(String what, SQLException e) {
        return failed(what, e, SqlRemedy.of(e));
    }

    /** @param what the action that failed */
    public static StoreException failed(String what, SQLException e, Optional<String> remedy) {
        SQLException safe = ServerError.withoutRows(e);
        return new StoreException(
                "The database failed while " + what + " (SQLSTATE " + e.getSQLState() + "): " + safe.getMessage()
                        + remedy.map(todo -> ". " + todo).orElse(""),
                safe);
    }

    /** Returns the connection with its original settings. */
    public final void closeQuietly() {
        borrowed.giveBack();
    }

    /** Aborts the connection, even while another thread waits for an answer on it. */
    public final void cut() {
        BorrowedConnection.cut(connection);
    }
}
