package dev.waybill.table;

import dev.waybill.RelayName;
import dev.waybill.jdbc.layout.TableLayout;
import javax.sql.DataSource;

/** Renews the row leases of a competing session, over a connection of its own. */
final class Renewing {
    private static final String IS_REGISTERED = "select 1 from {relay} where name = ? and outbox = ?";

    private final RelayName relay;
    private final long epoch;
    private final RenewingConnection connection;

    Renewing(DataSource dataSource, TableLayout layout, RelayName relay, long epoch) {
        this.connection = new RenewingConnection(dataSource, layout);
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
    boolean renew(RowLeases leases) {
        return connection.renew("relay " + relay + " was renewing its leases", open -> {
            leases.renew(open);
            return open.exists(IS_REGISTERED, relay.value(), open.outbox());
        });
    }

    void close() {
        connection.close();
    }
}
