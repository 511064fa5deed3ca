package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.Connecting;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.StoreException;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableView;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that renews a session's leases, so that a session that is busy reading does not lose them. It is opened at the
 * first renewal, and again after a failed one.
 */
final class RenewalConnection {
    private static final Logger log = LoggerFactory.getLogger(RenewalConnection.class);

    private final DataSource dataSource;
    private final TableLayout layout;
    private final RelayName relay;
    private final long epoch;
    private @Nullable TableConnection connection;
    private boolean closed;

    RenewalConnection(DataSource dataSource, TableLayout layout, RelayName relay, long epoch) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.relay = relay;
        this.epoch = epoch;
    }

    RelayName relay() {
        return relay;
    }

    long epoch() {
        return epoch;
    }

    /** @return false if there is nothing left to renew */
    synchronized boolean renew(StoreConnection.Work<TableConnection, Boolean> renewal) {
        if (closed) {
            return false;
        }
        try {
            return renewal.on(open(Connecting.PATIENCE));
        } catch (SQLException e) {
            disconnect();
            throw TableConnection.failed("relay " + relay + " was renewing its lease", e);
        }
    }

    /** Connects now instead of at the first renewal, unless the session has ended. */
    synchronized void connect(Duration patience) throws SQLException {
        if (!closed) {
            open(patience);
        }
    }

    private TableConnection open(Duration patience) throws SQLException {
        TableConnection open = connection;
        if (open == null) {
            open = TableConnection.open(dataSource, layout, TableView.PLAIN, patience);
            connection = open;
        }
        return open;
    }

    /** Ends a session: releases its leases, and closes both connections in any case. */
    void end(TableConnection session, SqlWork<?> release) {
        try {
            release.run();
        } catch (SQLException | LeaseLostException | StoreException e) {
            log.info(
                    "Relay {}: epoch {} ended without releasing its leases ({}); they expire.",
                    relay,
                    epoch,
                    e.getMessage());
        } finally {
            try {
                close();
            } finally {
                session.closeQuietly();
            }
        }
    }

    private synchronized void close() {
        closed = true;
        disconnect();
    }

    private void disconnect() {
        TableConnection open = connection;
        connection = null;
        if (open != null) {
            open.closeQuietly();
        }
    }
}
