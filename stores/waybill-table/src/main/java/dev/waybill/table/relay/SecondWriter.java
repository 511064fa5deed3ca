package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.table.rows.TableConnection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer that marks rows beside claims, over a connection of its own. It is opened when there is a backlog; if that fails, as with
 * a pool that has no connection left, the session goes on without it.
 */
final class SecondWriter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SecondWriter.class);

    private final TableLease lease;
    private final SqlWork<TableConnection> opening;
    private final SessionOptions options;
    private @Nullable TableConnection connection;
    private Optional<SettlementWriter> writer = Optional.empty();
    private boolean tried;

    SecondWriter(TableLease lease, SqlWork<TableConnection> opening, SessionOptions options) {
        this.lease = lease;
        this.opening = opening;
        this.options = options;
    }

    synchronized Optional<SettlementWriter> get() {
        if (!tried) {
            tried = true;
            try {
                TableConnection opened = opening.run();
                connection = opened;
                writer = Optional.of(new SettlementWriter(lease, opened, options));
            } catch (SQLException e) {
                log.info(
                        "Relay {}: marks rows on the connection that reads them, which is slower, because another one"
                                + " could not be opened ({}).",
                        lease.relay(),
                        e.getMessage());
                close();
            }
        }
        return writer;
    }

    @Override
    public synchronized void close() {
        TableConnection open = connection;
        connection = null;
        writer = Optional.empty();
        if (open != null) {
            open.closeQuietly();
        }
    }
}
