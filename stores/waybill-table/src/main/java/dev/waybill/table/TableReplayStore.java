package dev.waybill.table;

import dev.waybill.RelayName;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** An outbox table as replays see it. */
final class TableReplayStore implements EventStore {
    private final DataSource dataSource;
    private final TableLayout layout;
    private final TableOptions options;

    TableReplayStore(DataSource dataSource, TableLayout layout, TableOptions options) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.options = options;
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return new TableStoreAdmin(dataSource, layout, options.claiming())
                .purge(olderThan, atMost)
                .more();
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
            throw new StoreRefusedException("Relay " + relay + ": there is no replay of this name in "
                    + layout.tableName() + ". It was dropped, or never started: start one first.");
        }
        if (epoch.isEmpty()) {
            return Optional.empty();
        }
        TableLease held = new TableLease(dataSource, layout, relay, epoch.get(), lease);
        return Optional.of(new TableReplaySession(held, connection, options, replay.get()));
    }
}
