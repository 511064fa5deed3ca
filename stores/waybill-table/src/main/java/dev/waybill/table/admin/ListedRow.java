package dev.waybill.table.admin;

import dev.waybill.admin.EventHistory;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.table.rows.RowState;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableText;
import dev.waybill.table.rows.ThinRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of a listing.
 *
 * @param stored the state in the columns of the row
 */
record ListedRow(ThinRow row, RowState stored, @Nullable Instant publishedAt) {
    /** Number of columns read. */
    static final int COLUMNS = ThinRow.COLUMNS + 2;

    static ListedRow read(TableConnection connection, ResultSet row) throws SQLException {
        return new ListedRow(
                ThinRow.read(connection, row),
                RowState.of(row.getString(ThinRow.COLUMNS + 1)),
                connection.layout().has(TableColumn.PUBLISHED_AT)
                        ? connection.times().read(row, ThinRow.COLUMNS + 2)
                        : null);
    }

    boolean isPending() {
        return stored == RowState.PENDING;
    }

    /**
     * The state of the event for its relay.
     *
     * @param side its row in the side table
     * @param closed whether an earlier row keeps its key closed
     */
    EventHistory.State state(TableLayout layout, @Nullable SideRow side, boolean closed) {
        if (stored == RowState.DEAD || isDeadInSideTable(layout, side)) {
            return EventHistory.State.DEAD;
        }
        if (!isPending()) {
            return isDiscarded(layout) ? EventHistory.State.DISCARDED : EventHistory.State.PUBLISHED;
        }
        boolean waits = closed || (side != null && side.is(SideState.RETRY));
        return waits ? EventHistory.State.PARKED : EventHistory.State.PENDING;
    }

    private boolean isDeadInSideTable(TableLayout layout, @Nullable SideRow side) {
        return isPending()
                && side != null
                && side.is(SideState.DEAD)
                && (!TableText.hasDeadState(layout) || side.isRefused());
    }

    /**
     * A discarded row is marked as published ({@code RowUpdate.givenUp}). It is recognised by its empty published time or, if
     * that is the state of the layout, by its error.
     */
    private boolean isDiscarded(TableLayout layout) {
        if (layout.has(TableColumn.PUBLISHED_AT) && !(layout.state() instanceof TableState.PublishedTime)) {
            return publishedAt == null;
        }
        return row.error().filter(note -> note.startsWith(ErrorText.DISCARDED)).isPresent();
    }
}
