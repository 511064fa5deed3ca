package dev.waybill.jdbc.kernel;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection for work that is repeated: opened for the first one, and kept until it fails, is old or is closed. One thread at a time,
 * except {@link #close}.
 */
public final class KeptConnection<C extends StoreConnection> implements AutoCloseable {
    /** A new one follows a changed address, new settings of the role, and a changed table. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    private static final String LOST_CONNECTION = "08";
    private static final String SERVER_ENDED_IT = "57P";

    private final StoreConnection.Opening<C> opening;
    private final LongSupplier nanoClock;
    private @Nullable C kept;
    private long openedAt;
    private boolean working;
    private boolean closed;

    public KeptConnection(StoreConnection.Opening<C> opening) {
        this(opening, System::nanoTime);
    }

    KeptConnection(StoreConnection.Opening<C> opening, LongSupplier nanoClock) {
        this.opening = opening;
        this.nanoClock = nanoClock;
    }

    /**
     * Works on the kept connection. If it turns out to be lost, such as by a restart of the server, the work is done again on a new one.
     *
     * @param what the action, for the error message
     */
    public <R> R on(String what, StoreConnection.Work<C, R> work) {
        try {
            closeIfOld();
            C known = begin();
            if (known != null) {
                try {
                    return workOn(known, work);
                } catch (SQLException e) {
                    if (!isLost(e)) {
                        throw e;
                    }
                }
            }
            return workOn(open(), work);
        } catch (SQLException e) {
            throw StoreConnection.failed(what, e);
        }
    }

    private void closeIfOld() {
        C old = null;
        synchronized (this) {
            if (kept != null && nanoClock.getAsLong() - openedAt > LONGEST.toNanos()) {
                old = kept;
                kept = null;
            }
        }
        if (old != null) {
            old.closeQuietly();
        }
    }

    private synchronized @Nullable C begin() throws SQLException {
        requireOpen();
        working = kept != null;
        return kept;
    }

    private C open() throws SQLException {
        C fresh = opening.open();
        synchronized (this) {
            if (!closed) {
                kept = fresh;
                openedAt = nanoClock.getAsLong();
                working = true;
                return fresh;
            }
        }
        fresh.closeQuietly();
        throw ended();
    }

    private void requireOpen() throws SQLException {
        if (closed) {
            throw ended();
        }
    }

    private static SQLException ended() {
        return new SQLException("its connection was closed", "08003");
    }

    private <R> R workOn(C connection, StoreConnection.Work<C, R> work) throws SQLException {
        try {
            R result = work.on(connection);
            end();
            return result;
        } catch (Throwable e) {
            drop(connection);
            throw e;
        }
    }

    private synchronized void end() {
        working = false;
    }

    private synchronized void drop(C connection) {
        working = false;
        kept = null;
        connection.cut();
        connection.closeQuietly();
    }

    private static boolean isLost(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith(LOST_CONNECTION) || state.startsWith(SERVER_ENDED_IT);
    }

    /** Ends work that is under way. */
    @Override
    public synchronized void close() {
        closed = true;
        if (kept != null && working) {
            kept.cut();
        } else if (kept != null) {
            kept.closeQuietly();
        }
        kept = null;
    }
}
