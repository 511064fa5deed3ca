package dev.waybill.table;

import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connection over which a session's leases are renewed, so that a session that is busy reading does not lose them. It is
 * opened for the first renewal, and again after one that failed.
 */
final class RenewingConnection {
    private final DataSource dataSource;
    private final TableLayout layout;
    private @Nullable TableConnection connection;
    private boolean closed;

    RenewingConnection(DataSource dataSource, TableLayout layout) {
        this.dataSource = dataSource;
        this.layout = layout;
    }

    /**
     * @param what is being done, for the error
     * @return false when there is nothing to renew any more
     */
    synchronized boolean renew(String what, StoreConnection.Work<TableConnection, Boolean> renewal) {
        if (closed) {
            return false;
        }
        try {
            TableConnection open = connection;
            if (open == null) {
                open = TableConnection.open(dataSource, layout);
                connection = open;
            }
            return renewal.on(open);
        } catch (SQLException e) {
            disconnect();
            throw TableConnection.failed(what, e);
        }
    }

    synchronized void close() {
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
