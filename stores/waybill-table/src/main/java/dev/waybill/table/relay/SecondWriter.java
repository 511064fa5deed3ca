package dev.waybill.table.relay;

import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer that marks rows beside claims, over a connection of its own. It is opened for a backlog and closed some time after it: a
 * connection that nobody uses may be gone when it is needed. If it cannot be opened, as with a pool that has no connection left, the
 * session goes on without it. It leads to the same server as the connection that rows are claimed over ({@link ServerProcess}): the same
 * numbers could belong to other rows elsewhere.
 */
final class SecondWriter {
    private static final Logger log = LoggerFactory.getLogger(SecondWriter.class);

    /** For the connection that renews the lease, and for this one: a session can do without it. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

    private static final long IDLE_NANOS = Duration.ofSeconds(10).toNanos();

    private final TableLease lease;
    private final ServerProcess session;
    private final Opening opening;
    private final SessionOptions options;
    private final ReentrantLock using = new ReentrantLock();
    private @Nullable TableConnection connection;
    private @Nullable SettlementWriter writer;
    private boolean failed;
    private long failedAt;
    private long usedAt;
    /** Between {@link #isReady} and {@link #write}. */
    private boolean promised;

    /** Opens a connection to the table, or gives up. */
    interface Opening {
        TableConnection within(Duration patience) throws SQLException;
    }

    /** @param session serves the connection that rows are claimed over */
    SecondWriter(TableLease lease, ServerProcess session, Opening opening, SessionOptions options) {
        this.lease = lease;
        this.session = session;
        this.opening = opening;
        this.options = options;
    }

    /** Connects if necessary. The connection that renews the lease comes first, since a session cannot do without that. */
    boolean isReady() {
        using.lock();
        try {
            if (writer == null && !hasJustFailed()) {
                open();
            }
            promised = writer != null;
            return promised;
        } finally {
            using.unlock();
        }
    }

    private boolean hasJustFailed() {
        return failed && options.nanoTime().getAsLong() - failedAt < AGAIN_NANOS;
    }

    private void open() {
        boolean opened = false;
        try {
            lease.connect(PATIENCE);
            TableConnection second = opening.within(PATIENCE);
            connection = second;
            session.requireAliveAt(second);
            writer = new SettlementWriter(lease, second, options);
            opened = true;
        } catch (SQLException | RuntimeException e) {
            failedAt = options.nanoTime().getAsLong();
            log.info(
                    "Relay {}: marks rows on the connection that reads them, which is slower, because another one"
                            + " could not be opened ({}). It is tried again in a minute.",
                    lease.relay(),
                    e.getMessage());
        } finally {
            failed = !opened;
            if (!opened) {
                closeQuietly();
            }
        }
    }

    /** After {@link #isReady}, on the same thread. */
    SettlementWriter.Written write(List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows)
            throws SQLException {
        using.lock();
        try {
            SettlementWriter ready = writer;
            if (ready == null) {
                throw new IllegalStateException("The second connection is not open.");
            }
            return ready.write(rows, settlements, mayHaveSideRows);
        } finally {
            promised = false;
            usedAt = options.nanoTime().getAsLong();
            using.unlock();
        }
    }

    /** Closes a connection that has not been used for a while. Does not wait while it is used. */
    void closeIfIdle() {
        if (using.tryLock()) {
            try {
                boolean idle = options.nanoTime().getAsLong() - usedAt >= IDLE_NANOS;
                if (writer != null && idle && !promised) {
                    closeQuietly();
                }
            } finally {
                using.unlock();
            }
        }
    }

    /** The session goes on. */
    private void closeQuietly() {
        try {
            close();
        } catch (RuntimeException e) {
            log.debug("Relay {}: its second connection did not close.", lease.relay(), e);
        }
    }

    void close() {
        TableConnection open = connection;
        connection = null;
        writer = null;
        if (open != null) {
            open.closeQuietly();
        }
    }
}
