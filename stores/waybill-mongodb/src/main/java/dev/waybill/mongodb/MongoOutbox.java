package dev.waybill.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import dev.waybill.AppendException;
import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.Outbox;
import dev.waybill.WakeSignal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * Appends events in the session that carries the application's own transaction. Safe for use by many threads, each with its
 * own session.
 *
 * <p>Change the entity before appending: other transactions that change it then have to wait, and its events are published in the
 * order of its changes. {@code created_at} is the server's time of the append, so clocks of applications do not matter.
 */
public final class MongoOutbox implements Outbox<ClientSession> {
    private final MongoCollection<BsonDocument> records;
    private final MongoOutboxOptions options;

    private MongoOutbox(MongoCollection<BsonDocument> records, MongoOutboxOptions options) {
        this.records = records;
        this.options = options;
    }

    /**
     * @param collection has the indexes of {@link MongoSchema}
     */
    public static MongoOutbox on(MongoDatabase database, String collection) {
        return on(database, collection, MongoOutboxOptions.defaults());
    }

    public static MongoOutbox on(MongoDatabase database, String collection, MongoOutboxOptions options) {
        return new MongoOutbox(database.getCollection(collection, BsonDocument.class), options);
    }

    @Override
    public void append(ClientSession transaction, List<Event> events) {
        insert(transaction, events, session -> write(session, events));
    }

    /** Reads first: in a MongoDB transaction a duplicate id would abort everything. */
    @Override
    public int appendIfAbsent(ClientSession transaction, List<Event> events) {
        return insert(transaction, events, session -> {
            Set<String> known = known(session, events);
            return write(
                    session,
                    events.stream().filter(event -> known.add(event.id())).toList());
        });
    }

    /** Whether the session sees an event with this id in the outbox. */
    public boolean exists(ClientSession session, String eventId) {
        try {
            return records.find(session, Filters.eq(Field.EVENT_ID, eventId))
                            .projection(Projections.include(Field.EVENT_ID))
                            .first()
                    != null;
        } catch (MongoException e) {
            throw new AppendException(
                    "Could not search for event " + eventId + " in " + records.getNamespace() + ".",
                    MongoFailure.withoutValues(e));
        }
    }

    private int insert(ClientSession transaction, List<Event> events, ToIntFunction<ClientSession> write) {
        if (events.isEmpty()) {
            return 0;
        }
        events.forEach(this::requireFits);
        requireTransaction(transaction);
        try {
            int written = write.applyAsInt(transaction);
            options.wake().ifPresent(WakeSignal::raise);
            return written;
        } catch (MongoException e) {
            throw failed(events, e);
        }
    }

    private void requireFits(Event event) {
        if (event.payload().size() > options.maxPayloadBytes()) {
            throw new InvalidEventException("The payload of event " + event.id() + " (" + event.type() + ") has "
                    + event.payload().size() + " bytes, at most " + options.maxPayloadBytes()
                    + " are allowed: put large data elsewhere and send a reference, or raise"
                    + " MongoOutboxOptions.maxPayloadBytes and the broker's limit with it.");
        }
    }

    private static void requireTransaction(ClientSession transaction) {
        if (!transaction.hasActiveTransaction()) {
            throw new NoTransactionException(
                    "The session has no active transaction, so the event would be kept without your data. Call"
                            + " startTransaction, change your data and append in the same session, then commitTransaction.");
        }
    }

    private Set<String> known(ClientSession session, List<Event> events) {
        Set<String> known = new HashSet<>();
        List<String> ids = events.stream().map(Event::id).toList();
        for (BsonDocument found : records.find(session, Filters.in(Field.EVENT_ID, ids))
                .projection(Projections.include(Field.EVENT_ID))) {
            known.add(new OutboxRecord(found).eventId());
        }
        return known;
    }

    /** Upserts that never match, since only an update can use the server's time. */
    private int write(ClientSession session, List<Event> events) {
        if (events.isEmpty()) {
            return 0;
        }
        List<WriteModel<BsonDocument>> writes = new ArrayList<>();
        for (Event event : events) {
            List<Bson> fields = new ArrayList<>();
            for (Map.Entry<String, BsonValue> field :
                    RecordOfEvent.of(event, options.maxRetries()).entrySet()) {
                fields.add(Updates.setOnInsert(field.getKey(), field.getValue()));
            }
            fields.add(Updates.currentDate(Field.CREATED_AT));
            fields.add(Updates.currentTimestamp(Field.APPENDED_AT));
            writes.add(new UpdateOneModel<>(
                    Filters.eq(Field.ID, new BsonObjectId(new ObjectId())),
                    Updates.combine(fields),
                    new UpdateOptions().upsert(true)));
        }
        return records.bulkWrite(session, writes).getUpserts().size();
    }

    private AppendException failed(List<Event> events, MongoException e) {
        String which = events.size() == 1
                ? "event " + events.get(0).id() + " (" + events.get(0).type() + ")"
                : events.size() + " events, the first " + events.get(0).id();
        MongoException safe = MongoFailure.withoutValues(e);
        if (MongoFailure.of(e) == MongoFailure.DUPLICATE) {
            return new DuplicateEventException(
                    "Could not append " + which + ": an event with the same id is already there. Roll the transaction"
                            + " back, or use appendIfAbsent if a repeat is harmless.",
                    safe);
        }
        return new AppendException(
                "Could not append " + which + " to " + records.getNamespace() + " (error " + MongoFailure.code(e)
                        + "). Roll the transaction back, so that data and events stay consistent.",
                safe);
    }
}
