package dev.waybill.table;

import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The ids of the parked rows that a person means. Those that match are collected before any is changed: a change moves rows from
 * one state to another, and a place in the list of one state would then be another's.
 *
 * @param all false when there are more
 */
record TableSelection(List<String> ids, boolean all) {
    private static final int PAGE = 1_000;

    static TableSelection of(TableConnection connection, Selection selection, int atMost) throws SQLException {
        if (!(selection instanceof Selection.Matching matching)) {
            return new TableSelection(inOrder(connection, ((Selection.Ids) selection).ids()), true);
        }
        TableParked parked = new TableParked(connection);
        List<String> ids = new ArrayList<>();
        Optional<ParkedState> state = Optional.of(matching.state());
        List<TableParked.Found> page = parked.page(state, Optional.empty(), PAGE);
        while (!page.isEmpty() && ids.size() < atMost) {
            page.stream()
                    .filter(one -> isMeant(one, matching))
                    .forEach(one -> ids.add(one.row().rowId()));
            page = parked.page(state, Optional.of(page.get(page.size() - 1).place()), PAGE);
        }
        return new TableSelection(ids, page.isEmpty());
    }

    /** As the database writes them, and as their rows are ordered: what is later in a key is not to be sent first. */
    private static List<String> inOrder(TableConnection connection, List<String> ids) throws SQLException {
        return new TableReader(connection)
                .standing(connection.spellings(ids)).values().stream()
                        .map(TableReader.Standing::row)
                        .sorted(Comparator.comparingLong(row -> row.position().value()))
                        .map(ThinRow::rowId)
                        .toList();
    }

    private static boolean isMeant(TableParked.Found one, Selection.Matching matching) {
        String error = one.event().error().orElse("");
        return one.row().isMeantBy(matching.filter())
                && matching.error().filter(part -> !error.contains(part)).isEmpty();
    }

    /** Whether a row that was selected is still as it was then. */
    static boolean stillMeant(Selection selection, ParkedState state) {
        return !(selection instanceof Selection.Matching matching) || matching.state() == state;
    }

    /** In parts, each small enough for one transaction. */
    List<List<String>> steps(int size) {
        List<List<String>> steps = new ArrayList<>();
        for (int from = 0; from == 0 || from < ids.size(); from += size) {
            steps.add(ids.subList(from, Math.min(ids.size(), from + size)));
        }
        return steps;
    }
}
