package dev.waybill.bench.drain;

import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.servers.Progress;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Destination;
import dev.waybill.table.TableStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The relay on an outbox table. A drain marks every row, so the table is filled again before each. */
final class TableDrain extends RelayDrain {
    private final DataSource dataSource;
    private final int events;
    private final boolean besideOpenTransaction;
    private @Nullable Connection open;

    /** @param besideOpenTransaction whether another transaction is open during the whole drain */
    TableDrain(DataSource dataSource, Destination destination, Drained drained, boolean besideOpenTransaction) {
        super(TableStore.on(dataSource, TableLayout.waybill()), destination, drained);
        this.dataSource = dataSource;
        this.events = drained.events();
        this.besideOpenTransaction = besideOpenTransaction;
    }

    @Override
    public String name() {
        return besideOpenTransaction ? "table, tx open" : "table";
    }

    @Override
    String relayName() {
        return "drain";
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
        Backlog.TABLE.fill(dataSource, events, false);
    }

    @Override
    public void putAway() {
        super.putAway();
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
        super.close();
    }
}
