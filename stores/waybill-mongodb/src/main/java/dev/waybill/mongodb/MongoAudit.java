package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/** The audit of an outbox. An entry is written before its operation, so that no change is without one. */
final class MongoAudit {
    private static final int LONGEST_DETAILS = 4_000;

    private final OutboxCollections outbox;

    MongoAudit(OutboxCollections outbox) {
        this.outbox = outbox;
    }

    /**
     * An upsert, since only an update can use the server's time.
     *
     * @param relay empty when it does not concern a single relay
     */
    void write(Actor by, String action, String relay, String details) {
        outbox.audit()
                .updateOne(
                        Filters.eq(Field.ID, new BsonObjectId(new ObjectId())),
                        Updates.combine(
                                Updates.setOnInsert("outbox", outbox.name()),
                                Updates.setOnInsert("who", Settling.cut(by.who())),
                                Updates.setOnInsert("why", Settling.cut(by.why())),
                                Updates.setOnInsert("action", action),
                                Updates.setOnInsert("relay", relay),
                                Updates.setOnInsert("details", Settling.cut(details, LONGEST_DETAILS)),
                                Updates.currentDate("at")),
                        new UpdateOptions().upsert(true));
    }

    /** A cursor is the time of an entry and its id. */
    List<AuditEntry> read(Optional<String> after, int atMost) {
        List<AuditEntry> entries = new ArrayList<>();
        for (BsonDocument entry : outbox.audit()
                .find(Filters.and(
                        Filters.eq("outbox", outbox.name()),
                        after.map(MongoAudit::older).orElse(Filters.empty())))
                .sort(Sorts.descending("at", Field.ID))
                .limit(atMost)) {
            long at = entry.getDateTime("at").getValue();
            entries.add(new AuditEntry(
                    at + "/" + entry.getObjectId(Field.ID).getValue().toHexString(),
                    Instant.ofEpochMilli(at),
                    Actor.recorded(text(entry, "who"), text(entry, "why")),
                    text(entry, "action"),
                    text(entry, "relay"),
                    text(entry, "details")));
        }
        return entries;
    }

    private static Bson older(String cursor) {
        String[] parts = cursor.split("/", 2);
        try {
            BsonDateTime at = new BsonDateTime(Long.parseLong(parts[0]));
            BsonObjectId id = new BsonObjectId(new ObjectId(parts[1]));
            return Filters.or(Filters.lt("at", at), Filters.and(Filters.eq("at", at), Filters.lt(Field.ID, id)));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw EventQuery.notACursor(cursor);
        }
    }

    private static String text(BsonDocument entry, String field) {
        return entry.getString(field).getValue();
    }
}
