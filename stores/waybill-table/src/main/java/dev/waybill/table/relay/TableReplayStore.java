package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** The store of replays of an outbox table. */
final class TableReplayStore implements EventStore {
    private final DataSource dataSource;
    private final TableLayout layout;
    private final SessionOptions options;
    private final EventStore table;

    TableReplayStore(DataSource dataSource, TableLayout layout, SessionOptions options, EventStore table) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.options = options;
        this.table = table;
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return table.purge(olderThan, atMost);
    }

    @Override
    public Optional<ProcessRegister> processes() {
        return Optional.empty();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        return TableConnection.session(
                () -> TableConnection.open(dataSource, layout, TableView.of(Optional.of(relay))),
                relay,
                connection -> open(connection, relay, owner, lease));
    }

    private Optional<RelaySession> open(TableConnection connection, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        Optional<Long> epoch = TableLease.acquire(connection, relay, owner, lease);
        Optional<TableReplayRow> replay = TableReplayRow.find(connection, relay);
        if (replay.isEmpty()) {
            throw new StoreRefusedException("Relay " + relay + ": no replay of this name exists in "
                    + layout.tableName() + ". It was dropped, or never started: start one first.");
        }
        if (epoch.isEmpty()) {
            return Optional.empty();
        }
        TableLease held = new TableLease(dataSource, layout, relay, epoch.get(), lease);
        return Optional.of(new TableReplaySession(held, connection, options, replay.get()));
    }
}
