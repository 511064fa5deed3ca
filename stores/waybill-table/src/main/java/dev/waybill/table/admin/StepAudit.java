package dev.waybill.table.admin;

import dev.waybill.admin.ChangedEvents;
import dev.waybill.admin.Selection;
import dev.waybill.table.rows.TableAudit;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The audit of a change in steps. Of a selection by ids, every step writes which rows it has changed. Of a selection by a filter, the
 * first step writes the expected number of rows, and the last one a second entry if the final number differs.
 *
 * @param selected ids of all rows that were selected, in the spelling of the database
 * @param expected how many of them will probably be changed
 */
record StepAudit(TableAudit audit, Selection selection, List<String> selected, int expected) {

    /** Which rows a step is about, and where it is in the order of steps. */
    record Place(List<String> ids, boolean begins, boolean ends) {}

    /**
     * What was done.
     *
     * @param leftOut how many rows were left out, because a relay is working on them or somebody has locked them
     */
    record Done(List<String> changed, int leftOut) {}

    /**
     * @param all how many rows were changed until now, with those of this step
     * @param allLeftOut the same of rows that were left out
     */
    void write(Place place, Done done, int all, int allLeftOut) throws SQLException {
        if (selection instanceof Selection.Matching matching) {
            if (place.begins()) {
                audit.write(ChangedEvents.inWords(place.ends() ? all : expected, matching) + without(done.leftOut()));
            } else if (place.ends() && all != expected) {
                audit.write("finally " + ChangedEvents.inWords(all, matching) + without(allLeftOut));
            }
        } else if (selection instanceof Selection.Ids asked) {
            audit.write(
                    ChangedEvents.inWords(done.changed(), notChanged(place, done.changed(), asked), asked.askedFor())
                            + without(done.leftOut()));
        }
    }

    /** Rows of the step that were left as they are; the first step adds ids that no row has. */
    private List<String> notChanged(Place place, List<String> changed, Selection.Ids asked) {
        Set<String> done = Set.copyOf(changed);
        Stream<String> left = place.ids().stream().filter(id -> !done.contains(id));
        return (place.begins() ? Stream.concat(left, unknown(asked)) : left).toList();
    }

    /** Ids may have been given in another spelling. */
    private Stream<String> unknown(Selection.Ids asked) {
        Set<String> known =
                selected.stream().map(id -> id.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        return asked.ids().stream().filter(id -> !known.contains(id.toLowerCase(Locale.ROOT)));
    }

    private static String without(int leftOut) {
        return leftOut == 0
                ? ""
                : "; without " + leftOut
                        + " that a relay is working on, that somebody has locked, or that follow such an event";
    }
}
