package dev.waybill.table;

import dev.waybill.admin.EventStory;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row as people are shown it.
 */
record ListedRow(ThinRow row, RowState says, @Nullable Instant publishedAt) {
    /** How many columns it reads. */
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
        return says == RowState.PENDING;
    }

    /**
     * Where it stands with its relay.
     *
     * @param side what the side table says of it
     * @param closed whether an earlier row keeps its key closed
     */
    EventStory.State state(TableLayout layout, @Nullable SideRow side, boolean closed) {
        if (says == RowState.DEAD || isDeadAside(layout, side)) {
            return EventStory.State.DEAD;
        }
        if (!isPending()) {
            return isDiscarded(layout) ? EventStory.State.DISCARDED : EventStory.State.PUBLISHED;
        }
        boolean waits = closed || (side != null && side.is(SideState.RETRY));
        return waits ? EventStory.State.PARKED : EventStory.State.PENDING;
    }

    private boolean isDeadAside(TableLayout layout, @Nullable SideRow side) {
        return isPending() && side != null && side.is(SideState.DEAD) && !TableText.saysDead(layout);
    }

    /** See {@link RowUpdate#givenUp}: done, but never published; where the published time says done, by the note. */
    private boolean isDiscarded(TableLayout layout) {
        if (layout.has(TableColumn.PUBLISHED_AT) && !(layout.state() instanceof TableState.PublishedTime)) {
            return publishedAt == null;
        }
        return row.error().filter(note -> note.startsWith(ErrorText.DISCARDED)).isPresent();
    }
}
