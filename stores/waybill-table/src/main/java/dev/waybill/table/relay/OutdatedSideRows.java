package dev.waybill.table.relay;

import dev.waybill.table.rows.RowState;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableText;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds side rows that their rows contradict, since the row counts: a row that waits or is leased must be pending, and a dead row
 * must be dead if the layout has that state, unless the database refuses to mark it. Side rows of rows that do not exist are outdated too.
 */
final class OutdatedSideRows {
    private final TableReader reader;
    private final boolean hasDeadState;

    OutdatedSideRows(TableConnection connection) {
        this.reader = new TableReader(connection);
        this.hasDeadState = TableText.hasDeadState(connection.layout());
    }

    /** Those of these side rows that are outdated. */
    List<SideRow> among(List<SideRow> page) throws SQLException {
        Map<String, TableReader.RowWithState> stored =
                reader.withState(page.stream().map(SideRow::rowId).toList());
        return page.stream()
                .filter(side -> contradicts(stored.get(side.rowId()), side))
                .toList();
    }

    private boolean contradicts(TableReader.@Nullable RowWithState row, SideRow side) {
        RowState expected = isOutdatedIfPending(side) ? RowState.DEAD : RowState.PENDING;
        return row == null || row.state() != expected;
    }

    /** Whether a pending row contradicts this side row. */
    boolean isOutdatedIfPending(SideRow side) {
        return hasDeadState && side.is(SideState.DEAD) && !side.isRefused();
    }
}
