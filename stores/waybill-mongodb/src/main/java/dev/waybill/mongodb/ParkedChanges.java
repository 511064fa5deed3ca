package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.SelectedEvent;
import dev.waybill.admin.Selection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/** Requeues or discards records for an operator; each only if it has not changed since it was selected. */
final class ParkedChanges {
    private static final int STEP = 1_000;
    private static final List<ParkedState> REQUEUED = List.of(ParkedState.DUE, ParkedState.DEAD);

    /** Those that wait come first: a relay may send them as soon as nothing of their key is before them. */
    private static final List<ParkedState> DISCARDED = List.of(ParkedState.WAITING, ParkedState.DUE, ParkedState.DEAD);

    private final OutboxCollections outbox;
    private final Selection selection;
    private final Parking parking;

    ParkedChanges(OutboxCollections outbox, Selection selection) {
        this.outbox = outbox;
        this.selection = selection;
        this.parking = new Parking(outbox);
    }

    RequeuePreview previewRequeue() {
        SelectedRecords selected = SelectedRecords.of(parking, selection, REQUEUED, Parking.MOST);
        long late = selected.records().stream()
                .filter(record -> record.isDead() && !record.holdsKey())
                .count();
        return new RequeuePreview(events(selected), (int) late, selected.all());
    }

    DiscardPreview previewDiscard() {
        SelectedRecords selected = SelectedRecords.of(parking, selection, DISCARDED, Parking.MOST);
        return new DiscardPreview(events(selected), selected.all());
    }

    private static List<SelectedEvent> events(SelectedRecords selected) {
        return selected.records().stream()
                .map(record -> new SelectedEvent(record.eventId(), state(record)))
                .toList();
    }

    private static ParkedState state(OutboxRecord record) {
        if (record.isDead()) {
            return ParkedState.DEAD;
        }
        return record.status().equals(Field.PENDING) ? ParkedState.WAITING : ParkedState.DUE;
    }

    List<String> toRequeue() {
        return ids(REQUEUED);
    }

    List<String> toDiscard() {
        return ids(DISCARDED);
    }

    private List<String> ids(List<ParkedState> states) {
        return SelectedRecords.of(parking, selection, states, Parking.MOST).records().stream()
                .map(OutboxRecord::eventId)
                .toList();
    }

    /**
     * What was changed.
     *
     * @param ids of a selection by ids: a record is changed only if it is as it was seen, and MongoDB tells the number of them
     */
    record Changed(int count, List<String> ids) {
        static final Changed NONE = new Changed(0, List.of());
    }

    /** Records that are being retried are left out. Those whose turn comes after others of their key wait for it. */
    Changed requeue() {
        Bson atOnce = Updates.set(
                Field.WAYBILL, Settling.inState(Field.RETRY).append("next_attempt_at", new BsonDateTime(0)));
        Bson pending = Updates.combine(Updates.set(Field.STATUS, Field.PENDING), Updates.unset(Field.WAYBILL));
        return inSteps(REQUEUED, step -> {
            Set<BsonValue> afterOthers = parking.afterOthers(step);
            Map<Boolean, List<BsonValue>> ids =
                    step.stream().map(OutboxRecord::documentId).collect(Collectors.groupingBy(afterOthers::contains));
            List<WriteModel<BsonDocument>> writes = new ArrayList<>();
            ids.forEach((waits, some) -> writes.add(afresh(some, waits ? pending : atOnce)));
            return writes;
        });
    }

    private WriteModel<BsonDocument> afresh(List<BsonValue> ids, Bson state) {
        return new UpdateManyModel<>(
                Filters.and(Filters.in(Field.ID, ids), Filters.eq(Field.STATUS, Field.FAILED), stillSelected()),
                Updates.combine(Updates.set(Field.RETRY_COUNT, 0), state));
    }

    Changed discard(Actor by, Instant now) {
        return inSteps(DISCARDED, step -> {
            List<WriteModel<BsonDocument>> writes = new ArrayList<>();
            for (OutboxRecord record : step) {
                Bson asSeen = Filters.and(
                        Filters.eq(Field.ID, record.documentId()),
                        Filters.eq(Field.STATUS, record.status()),
                        stillSelected());
                writes.add(new UpdateOneModel<>(asSeen, givenUp(record, by, now)));
            }
            return writes;
        });
    }

    /** Dead records and those that wait for a retry have one status, so a requeued record would pass for a dead one. */
    private Bson stillSelected() {
        return requiresDead() ? Parking.DEAD : Filters.empty();
    }

    private boolean requiresDead() {
        return selection.requiredState().filter(ParkedState.DEAD::equals).isPresent();
    }

    private interface Change {
        List<? extends WriteModel<BsonDocument>> of(List<OutboxRecord> step);
    }

    private Changed inSteps(List<ParkedState> states, Change change) {
        int size = selection instanceof Selection.Ids ? 1 : STEP;
        List<String> ids = new ArrayList<>();
        int changed = 0;
        SelectedRecords selected;
        int done;
        do {
            selected = SelectedRecords.of(parking, selection, states, Parking.MOST);
            done = 0;
            for (int from = 0; from < selected.records().size(); from += size) {
                List<OutboxRecord> step = selected.records()
                        .subList(from, Math.min(selected.records().size(), from + size));
                int matched = outbox.records().bulkWrite(change.of(step)).getMatchedCount();
                if (size == 1 && matched == 1) {
                    ids.add(step.get(0).eventId());
                }
                done += matched;
            }
            changed += done;
        } while (!selected.all() && done > 0 && leavesItsState(states));
        return new Changed(changed, ids);
    }

    /** Requeued records are due, so a second search would find them again. */
    private boolean leavesItsState(List<ParkedState> states) {
        return states.equals(DISCARDED) || requiresDead();
    }

    /** Without a time of publishing, since it was never published. */
    private static Bson givenUp(OutboxRecord record, Actor by, Instant now) {
        String note = Settling.cut("Discarded by " + by.who() + (by.why().isEmpty() ? "" : " (" + by.why() + ")")
                + record.lastError().map(error -> "; before: " + error).orElse(""));
        return Updates.combine(
                Updates.set(Field.STATUS, Field.PUBLISHED),
                Updates.set(Field.PUBLISHED_AT, BsonNull.VALUE),
                Updates.set(Field.LAST_ERROR, note),
                Updates.set(
                        Field.WAYBILL,
                        Settling.inState(Field.DISCARDED)
                                .append("discarded", new BsonString(note))
                                .append("discarded_at", new BsonDateTime(now.toEpochMilli()))),
                Worker.unlocked());
    }

    /** Records in flight or waiting for a retry become as if they had never been claimed; dead ones stay dead. */
    static void forget(OutboxCollections outbox, RelayName relay) {
        outbox.records().bulkWrite(Worker.givingBack(Worker.anyOf(relay)));
        outbox.records()
                .updateMany(
                        Filters.and(Filters.eq(Field.STATUS, Field.FAILED), Filters.eq(Field.STATE, Field.RETRY)),
                        Updates.combine(
                                Updates.set(Field.STATUS, Field.PENDING),
                                Updates.set(Field.RETRY_COUNT, 0),
                                Updates.unset(Field.WAYBILL)));
    }
}
