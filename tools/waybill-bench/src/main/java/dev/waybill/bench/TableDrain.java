package dev.waybill.bench;

import dev.waybill.format.Format;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.table.TableStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The relay over an outbox table, with its defaults. Each drain marks every row, so the table is filled anew before it. */
final class TableDrain implements Contender {
    private final DataSource dataSource;
    private final Destination destination;
    private final Route route;
    private final Format format;
    private final int events;
    private final boolean besideOpenTransaction;
    private @Nullable Relay relay;
    private @Nullable Connection open;

    /** @param besideOpenTransaction whether a transaction of somebody else is open from before the first row until the last is out */
    TableDrain(DataSource dataSource, Destination destination, Drained drained, boolean besideOpenTransaction) {
        this.dataSource = dataSource;
        this.destination = destination;
        this.route = drained.route();
        this.format = drained.format();
        this.events = drained.events();
        this.besideOpenTransaction = besideOpenTransaction;
    }

    /** How what is drained is sent. */
    record Drained(Route route, Format format, int events) {}

    @Override
    public String name() {
        return besideOpenTransaction ? "table, tx open" : "table";
    }

    @Override
    public void prepare() throws SQLException {
        if (besideOpenTransaction) {
            Connection transaction = dataSource.getConnection();
            open = transaction;
            transaction.setAutoCommit(false);
            try (Statement statement = transaction.createStatement()) {
                statement.execute("select pg_current_xact_id()");
            }
        }
        Backlog.TABLE.fill(dataSource, events);
    }

    @Override
    public void drain() {
        RelayPlan plan = RelayPlan.named("drain")
                .from(TableStore.on(dataSource, TableLayout.waybill()))
                .to(destination)
                .route(route)
                .format(format);
        relay = Relay.start(plan);
        while (relay.statistics().published() < events) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public void putAway() {
        if (relay != null) {
            relay.close();
        }
        closeTransaction();
    }

    private void closeTransaction() {
        if (open == null) {
            return;
        }
        try {
            open.rollback();
            open.close();
        } catch (SQLException e) {
            Progress.say("the open transaction did not end: %s", String.valueOf(e.getMessage()));
        }
        open = null;
    }

    @Override
    public void close() {
        closeTransaction();
        destination.close();
    }
}
