package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import java.util.ArrayList;
import java.util.List;
import org.bson.conversions.Bson;

/**
 * The parked records that an operator selected. They are collected before any is changed: a change moves records from one state
 * to another.
 *
 * @param all false when there are more
 */
record SelectedRecords(List<OutboxRecord> records, boolean all) {

    static SelectedRecords of(Parking parking, Selection selection, List<ParkedState> states, int atMost) {
        List<OutboxRecord> meant = new ArrayList<>();
        boolean all = true;
        for (ParkedState state : states) {
            if (selection.requiredState().filter(required -> required != state).isPresent()) {
                continue;
            }
            List<OutboxRecord> found = in(parking, state, named(selection), atMost);
            all &= found.size() < atMost;
            found.stream().filter(record -> isMeant(record, selection)).forEach(meant::add);
        }
        return new SelectedRecords(meant, all);
    }

    private static Bson named(Selection selection) {
        return selection instanceof Selection.Ids some ? Filters.in(Field.EVENT_ID, some.ids()) : Filters.empty();
    }

    static List<OutboxRecord> in(Parking parking, ParkedState state, Bson among, int atMost) {
        return switch (state) {
            case DUE -> parking.find(Filters.and(Parking.RETRIES, among), atMost);
            case WAITING -> parking.waiting(among, atMost);
            case DEAD -> parking.find(Filters.and(Parking.DEAD, among), atMost);
        };
    }

    private static boolean isMeant(OutboxRecord record, Selection selection) {
        if (!(selection instanceof Selection.Matching matching)) {
            return true;
        }
        String error = record.lastError().orElse("");
        return record.isMeantBy(matching.filter())
                && matching.error().filter(part -> !error.contains(part)).isEmpty();
    }
}
