package dev.waybill.table.relay;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.spi.Limits;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the rows whose retry is due. */
final class DueRows {
    private final TableConnection connection;
    private final TableLease lease;
    private final SessionOptions options;
    private final TableReader reader;
    private final SideRows sideRows;

    /** @param gone rows that are no longer pending; their keys may be open */
    record Found(List<TableRow> rows, List<SideRow> gone) {}

    DueRows(TableConnection connection, TableLease lease, SessionOptions options) {
        this.connection = connection;
        this.lease = lease;
        this.options = options;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
    }

    /**
     * The first waiting rows of each key: none is returned before an earlier one or before a dead one that holds the key.
     */
    Found find(Limits max, RowsInFlight inFlight) throws SQLException {
        List<SideRow> found = sideRows.due(options.clock().instant(), max.events());
        Set<String> keysOut = found.stream()
                .filter(row -> inFlight.contains(row.rowId()))
                .map(SideRow::keyHash)
                .collect(Collectors.toSet());
        List<SideRow> due =
                found.stream().filter(row -> !keysOut.contains(row.keyHash())).toList();
        Map<String, TableRow> pending =
                reader.pending(due.stream().map(SideRow::rowId).toList());
        List<TableRow> rows = new ArrayList<>();
        List<SideRow> gone = new ArrayList<>();
        long bytes = 0;
        for (SideRow side : due) {
            @Nullable TableRow row = pending.get(side.rowId());
            if (row == null) {
                gone.add(side);
            } else {
                bytes += row.bytes();
                if (bytes > max.bytes() && !rows.isEmpty()) {
                    break;
                }
                rows.add(row);
                if (connection.isReplay() || !connection.layout().has(TableColumn.ATTEMPTS)) {
                    row.attempts(side.attempts());
                }
            }
        }
        forget(gone);
        return new Found(reader.fill(rows), gone);
    }

    /** Somebody else marked or deleted these rows, so their side rows are outdated. */
    private void forget(List<SideRow> gone) throws SQLException {
        if (gone.isEmpty()) {
            return;
        }
        lease.alone(() -> connection.retryOnConflict(() -> {
            lease.fence(connection);
            sideRows.drop(gone.stream().map(SideRow::rowId).toList());
            return gone;
        }));
    }
}
