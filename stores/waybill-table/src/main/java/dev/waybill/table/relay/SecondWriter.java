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
 * session goes on without it.
 */
final class SecondWriter {
    private static final Logger log = LoggerFactory.getLogger(SecondWriter.class);

    /** A session can do without it, and waits for no longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long IDLE_NANOS = Duration.ofSeconds(10).toNanos();

    private final TableLease lease;
    private final Opening opening;
    private final SessionOptions options;
    private final ReentrantLock using = new ReentrantLock();
    private @Nullable TableConnection connection;
    private @Nullable SettlementWriter writer;
    private boolean unavailable;
    private long usedAt;

    /** Opens a connection to the table, or gives up. */
    interface Opening {
        TableConnection within(Duration patience) throws SQLException;
    }

    SecondWriter(TableLease lease, Opening opening, SessionOptions options) {
        this.lease = lease;
        this.opening = opening;
        this.options = options;
    }

    /** Connects if necessary. The connection that renews the lease comes first, since a session cannot do without that. */
    boolean isReady() {
        using.lock();
        try {
            usedAt = options.nanoTime().getAsLong();
            if (writer == null && !unavailable) {
                lease.connect(PATIENCE);
                TableConnection opened = opening.within(PATIENCE);
                connection = opened;
                writer = new SettlementWriter(lease, opened, options);
            }
        } catch (SQLException | RuntimeException e) {
            unavailable = true;
            log.info(
                    "Relay {}: marks rows on the connection that reads them, which is slower, because another one"
                            + " could not be opened ({}).",
                    lease.relay(),
                    e.getMessage());
            close();
        } finally {
            using.unlock();
        }
        return writer != null;
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
            usedAt = options.nanoTime().getAsLong();
            using.unlock();
        }
    }

    /** Closes a connection that has not been used for a while. Does not wait while it is used. */
    void closeIfIdle() {
        if (using.tryLock()) {
            try {
                if (writer != null && options.nanoTime().getAsLong() - usedAt >= IDLE_NANOS) {
                    close();
                }
            } finally {
                using.unlock();
            }
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
