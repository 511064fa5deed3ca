package dev.waybill.table.relay;

import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * In a replay, reads all dead rows that hold their keys once a minute, one step per claim, and forgets those that somebody deleted by SQL:
 * nothing else would open their keys, since commands find events by their rows.
 */
final class DeletedHolders {
    private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int STEP = 1_000;

    private final TableConnection connection;
    private final TableLease lease;
    private final LongSupplier nanoTime;
    private final TableReader reader;
    private final SideRows sideRows;
    private long nextAt;
    private SideRows.Place place = SideRows.Place.START;

    DeletedHolders(TableConnection connection, TableLease lease, LongSupplier nanoTime) {
        this.connection = connection;
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.nextAt = nanoTime.getAsLong() + EVERY_NANOS;
    }

    void forget() throws SQLException {
        if (nanoTime.getAsLong() - nextAt < 0) {
            return;
        }
        List<SideRow> page = sideRows.holding(place, STEP);
        List<String> ids = page.stream().map(SideRow::rowId).toList();
        Set<String> stored = reader.withState(ids).keySet();
        List<String> gone = ids.stream().filter(id -> !stored.contains(id)).toList();
        if (!gone.isEmpty()) {
            connection.inTransaction(() -> {
                lease.fence(connection);
                sideRows.drop(gone);
                return gone;
            });
        }
        if (page.size() == STEP) {
            place = SideRows.Place.of(page.get(STEP - 1));
        } else {
            place = SideRows.Place.START;
            nextAt = nanoTime.getAsLong() + EVERY_NANOS;
        }
    }
}
