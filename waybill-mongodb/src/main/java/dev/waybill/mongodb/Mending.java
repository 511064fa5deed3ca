package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import dev.waybill.admin.Actor;
import dev.waybill.spi.RelayName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** Sends records again, or gives them up, as a person says; each only if it still is what the person saw. */
final class Mending {
    private final OutboxCollections outbox;
    private final Parking parking;

    Mending(OutboxCollections outbox) {
        this.outbox = outbox;
        this.parking = new Parking(outbox);
    }

    /** Of these those that wait for their retry, or are dead. */
    List<OutboxRecord> requeueable(Collection<String> eventIds) {
        return parking.find(
                Filters.and(Parking.events(eventIds), Filters.eq(Field.STATUS, Field.FAILED)), Parking.MOST);
    }

    static boolean wouldBeLate(OutboxRecord record) {
        return record.isDead() && !record.holdsKey();
    }

    int requeue(Collection<String> eventIds) {
        Bson afresh = Updates.combine(
                Updates.set(Field.RETRY_COUNT, 0),
                Updates.set(Field.WAYBILL, new BsonDocument("next_attempt_at", new BsonDateTime(0))));
        return (int) outbox.records()
                .updateMany(Filters.and(Parking.events(eventIds), Filters.eq(Field.STATUS, Field.FAILED)), afresh)
                .getMatchedCount();
    }

    int discard(Collection<String> eventIds, Actor by) {
        Bson these = Parking.events(eventIds);
        List<OutboxRecord> records = new ArrayList<>(
                parking.find(Filters.and(these, Filters.or(Parking.RETRIES, Parking.DEAD)), Parking.MOST));
        records.addAll(parking.waiting(these, Parking.MOST));
        if (records.isEmpty()) {
            return 0;
        }
        List<WriteModel<BsonDocument>> writes = new ArrayList<>();
        for (OutboxRecord record : records) {
            Bson asSeen =
                    Filters.and(Filters.eq(Field.ID, record.documentId()), Filters.eq(Field.STATUS, record.status()));
            writes.add(new UpdateOneModel<>(asSeen, givenUp(record, by)));
        }
        return outbox.records().bulkWrite(writes).getMatchedCount();
    }

    /** What the relay had out, or was to send again, is as if it had never been claimed; the dead stay dead. */
    void forget(RelayName relay) {
        outbox.records().bulkWrite(Worker.givingBack(Worker.anyOf(relay)));
        outbox.records()
                .updateMany(
                        Filters.and(Filters.eq(Field.STATUS, Field.FAILED), Filters.exists(Field.NEXT_ATTEMPT_AT)),
                        Updates.combine(
                                Updates.set(Field.STATUS, Field.PENDING),
                                Updates.set(Field.RETRY_COUNT, 0),
                                Updates.unset(Field.WAYBILL)));
    }

    /** Without a time of publishing: it never was. */
    private static Bson givenUp(OutboxRecord record, Actor by) {
        String note = "Discarded by " + by.who() + (by.why().isEmpty() ? "" : " (" + by.why() + ")")
                + record.lastError().map(error -> "; before: " + error).orElse("");
        return Updates.combine(
                Updates.set(Field.STATUS, Field.PUBLISHED),
                Updates.set(Field.PUBLISHED_AT, BsonNull.VALUE),
                Updates.set(Field.LAST_ERROR, Settling.cut(note)),
                Updates.set(Field.WAYBILL, new BsonDocument("discarded_by", new BsonString(by.who()))),
                Worker.unlocked());
    }
}
