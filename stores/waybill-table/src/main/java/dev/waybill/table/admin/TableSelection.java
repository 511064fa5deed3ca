package dev.waybill.table.admin;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.ThinRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The ids of the parked rows that an operator selected. They are collected before any row is changed, since a change moves rows
 * between states and would invalidate a position in the list of one state.
 *
 * @param all whether there are no more
 */
record TableSelection(List<String> ids, boolean all) {
    private static final int PAGE = 1_000;

    static TableSelection of(TableConnection connection, Selection selection, int atMost) throws SQLException {
        if (!(selection instanceof Selection.Matching matching)) {
            return new TableSelection(inOrder(connection, ((Selection.Ids) selection).ids()), true);
        }
        requireTimes(connection.layout(), matching.filter());
        TableParked parked = new TableParked(connection);
        List<String> ids = new ArrayList<>();
        Optional<ParkedState> state = Optional.of(matching.state());
        List<TableParked.Found> page = parked.page(state, Optional.empty(), PAGE);
        while (!page.isEmpty() && ids.size() < atMost) {
            page.stream()
                    .filter(one -> isSelected(one, matching))
                    .forEach(one -> ids.add(one.row().rowId()));
            page = parked.page(state, Optional.of(page.get(page.size() - 1).place()), PAGE);
        }
        return new TableSelection(ids, page.isEmpty());
    }

    /**
     * In the database's spelling, and in the order of the rows, so that no row is sent before an earlier one of its key.
     */
    private static List<String> inOrder(TableConnection connection, List<String> ids) throws SQLException {
        return new TableReader(connection)
                .withState(connection.spellings(ids)).values().stream()
                        .map(TableReader.RowWithState::row)
                        .sorted(Comparator.comparingLong(row -> row.position().value()))
                        .map(ThinRow::rowId)
                        .toList();
    }

    private static boolean isSelected(TableParked.Found one, Selection.Matching matching) {
        String error = one.event().error().orElse("");
        return one.row().matches(matching.filter())
                && matching.error().filter(part -> !error.contains(part)).isEmpty();
    }

    /** Without a creation time, a filter by time would silently match nothing. */
    static void requireTimes(TableLayout layout, EventFilter filter) {
        boolean byTime = filter.from().isPresent() || filter.until().isPresent();
        if (byTime && !layout.has(TableColumn.CREATED_AT)) {
            throw new StoreRefusedException("Rows of the table " + layout.tableName()
                    + " have no creation time: select them by id, type, key or error instead.");
        }
    }

    /** Whether a selected row is still in the selected state. */
    static boolean stillSelected(Selection selection, ParkedState state) {
        return selection.requiredState().map(state::equals).orElse(true);
    }

    /** Parts that are small enough for one transaction. */
    List<List<String>> steps(int size) {
        List<List<String>> steps = new ArrayList<>();
        for (int from = 0; from == 0 || from < ids.size(); from += size) {
            steps.add(ids.subList(from, Math.min(ids.size(), from + size)));
        }
        return steps;
    }
}
