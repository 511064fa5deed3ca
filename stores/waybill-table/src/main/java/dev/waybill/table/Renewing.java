package dev.waybill.table;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Renews the row leases of a competing session, over a connection of its own. */
final class Renewing {
    private static final String IS_REGISTERED = "select 1 from {relay} where name = ? and outbox = ?";

    private final DataSource dataSource;
    private final TableLayout layout;
    private final RelayName relay;
    private final long epoch;
    private @Nullable TableConnection connection;
    private boolean closed;

    Renewing(DataSource dataSource, TableLayout layout, RelayName relay, long epoch) {
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

    /** @return false when the relay was dropped */
    synchronized boolean renew(RowLeases leases) {
        if (closed) {
            return false;
        }
        try {
            TableConnection open = connection;
            if (open == null) {
                open = TableConnection.open(dataSource, layout);
                connection = open;
            }
            leases.renew(open);
            return open.exists(IS_REGISTERED, relay.value(), open.outbox());
        } catch (SQLException e) {
            disconnect();
            throw TableConnection.failed("relay " + relay + " was renewing its leases", e);
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
