package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.RelayName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/** Looks into an outbox in MongoDB and mends it. The audit is written right after each change, not in a transaction with it. */
final class MongoStoreAdmin implements StoreAdmin {
    private final OutboxCollections outbox;
    private final Parking parking;

    MongoStoreAdmin(OutboxCollections outbox) {
        this.outbox = outbox;
        this.parking = new Parking(outbox);
    }

    @Override
    public List<RelayStatus> relays() {
        return outbox.doing(
                "telling how its relay stands",
                () ->
                        RelayDocument.read(outbox)
                                .filter(document -> document.name().isPresent())
                                .map(this::status)
                                .stream()
                                .toList());
    }

    private RelayStatus status(RelayDocument relay) {
        List<OutboxRecord> waiting = parking.waiting(Filters.empty(), Parking.MOST);
        List<BsonValue> aside = waiting.stream().map(OutboxRecord::documentId).toList();
        long pending = parking.count(Parking.PENDING) - waiting.size();
        Bson ready = aside.isEmpty() ? Parking.PENDING : Filters.and(Parking.PENDING, Filters.nin(Field.ID, aside));
        Optional<Duration> oldest = Stream.of(parking.oldest(ready), parking.oldest(Parking.OUT))
                .flatMap(Optional::stream)
                .map(OutboxRecord::createdAt)
                .min(Instant::compareTo)
                .map(created -> created.isBefore(relay.now()) ? Duration.between(created, relay.now()) : Duration.ZERO);
        return new RelayStatus(
                relay.name().orElseThrow(),
                relay.lease(),
                relay.paused(),
                Math.max(0, pending) + parking.count(Parking.OUT),
                oldest,
                waiting.size() + parking.count(Parking.RETRIES),
                parking.count(Parking.DEAD));
    }

    private boolean isRelay(RelayName relay) {
        return RelayDocument.read(outbox)
                .filter(document -> document.isOf(relay))
                .isPresent();
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        return outbox.doing(
                "listing parked events of relay " + query.relay(),
                () -> isRelay(query.relay()) ? new ParkedList(parking).list(query) : List.of());
    }

    @Override
    public Optional<EventStory> show(String eventId) {
        return outbox.doing("showing event " + eventId, () -> {
            BsonDocument found =
                    outbox.records().find(Filters.eq(Field.EVENT_ID, eventId)).first();
            return Optional.ofNullable(found).map(OutboxRecord::new).map(this::story);
        });
    }

    private EventStory story(OutboxRecord record) {
        List<EventStory.Chapter> chapters = RelayDocument.read(outbox).flatMap(RelayDocument::name).stream()
                .map(relay -> chapter(relay, record))
                .toList();
        return new EventStory(
                record.eventId(),
                record.type().toString(),
                record.aggregateType().toString(),
                record.createdAt(),
                record.payload().length,
                chapters);
    }

    private EventStory.Chapter chapter(String relay, OutboxRecord record) {
        if (record.status().equals(Field.PUBLISHED)) {
            return new EventStory.Chapter(relay, EventStory.State.PUBLISHED, Optional.empty(), record.publishedAt());
        }
        if (record.isDead()) {
            return chapter(relay, EventStory.State.DEAD, record, ParkedState.DEAD);
        }
        if (record.isRetry()) {
            return chapter(relay, EventStory.State.PARKED, record, ParkedState.DUE);
        }
        boolean waits =
                !parking.waiting(Filters.eq(Field.ID, record.documentId()), 1).isEmpty();
        return waits
                ? chapter(relay, EventStory.State.PARKED, record, ParkedState.WAITING)
                : new EventStory.Chapter(relay, EventStory.State.PENDING, Optional.empty(), Optional.empty());
    }

    private static EventStory.Chapter chapter(
            String relay, EventStory.State state, OutboxRecord record, ParkedState parked) {
        return new EventStory.Chapter(relay, state, Optional.of(ParkedList.event(record, parked)), Optional.empty());
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Collection<String> eventIds) {
        return outbox.doing("previewing a requeue on relay " + relay, () -> {
            List<OutboxRecord> found = isRelay(relay) ? new Mending(outbox).requeueable(eventIds) : List.of();
            return new RequeuePreview(found.size(), (int)
                    found.stream().filter(Mending::wouldBeLate).count());
        });
    }

    @Override
    public int requeue(RelayName relay, Collection<String> eventIds, Actor by) {
        return change(relay, "requeue", eventIds, by, () -> new Mending(outbox).requeue(eventIds));
    }

    @Override
    public int discard(RelayName relay, Collection<String> eventIds, Actor by) {
        return change(relay, "discard", eventIds, by, () -> new Mending(outbox).discard(eventIds, by));
    }

    private int change(RelayName relay, String action, Collection<String> eventIds, Actor by, IntSupplier work) {
        return outbox.doing("changing parked events of relay " + relay, () -> {
            int changed = isRelay(relay) ? work.getAsInt() : 0;
            if (changed > 0) {
                RelayDocument.changed(outbox, relay);
            }
            audit(by, action, relay, changed + " of " + String.join(", ", eventIds));
            return changed;
        });
    }

    @Override
    public boolean pause(RelayName relay, Actor by) {
        return setPaused(relay, true, by);
    }

    @Override
    public boolean resume(RelayName relay, Actor by) {
        return setPaused(relay, false, by);
    }

    private boolean setPaused(RelayName relay, boolean paused, Actor by) {
        return outbox.doing("pausing or resuming relay " + relay, () -> {
            boolean found = RelayDocument.pause(outbox, relay, paused);
            audit(by, paused ? "pause" : "resume", relay, found ? "" : "no such relay");
            return found;
        });
    }

    @Override
    public boolean drop(RelayName relay, Actor by) {
        return outbox.doing("dropping relay " + relay, () -> {
            boolean found = RelayDocument.drop(outbox, relay);
            if (found) {
                new Mending(outbox).forget(relay);
            }
            audit(by, "drop", relay, found ? "" : "no such relay");
            return found;
        });
    }

    /** The age of a record counts from its publishing; of one that was given up, from its creation. */
    @Override
    public PurgeStep purge(Duration olderThan, int atMost) {
        return outbox.doing("purging", () -> {
            Optional<RelayDocument> relay = RelayDocument.read(outbox);
            if (relay.isEmpty()) {
                return new PurgeStep(0, false);
            }
            BsonDateTime before =
                    new BsonDateTime(relay.get().now().minus(olderThan).toEpochMilli());
            Bson published = Filters.eq(Field.STATUS, Field.PUBLISHED);
            List<OutboxRecord> over = new ArrayList<>(
                    parking.find(Filters.and(published, Filters.lte(Field.PUBLISHED_AT, before)), atMost));
            Bson discarded = Filters.and(
                    published, Filters.eq(Field.PUBLISHED_AT, BsonNull.VALUE), Filters.lte(Field.CREATED_AT, before));
            if (over.size() < atMost) {
                over.addAll(parking.find(discarded, atMost - over.size()));
            }
            List<BsonValue> ids = over.stream().map(OutboxRecord::documentId).toList();
            long deleted = outbox.records()
                    .deleteMany(Filters.and(Filters.in(Field.ID, ids), published))
                    .getDeletedCount();
            return new PurgeStep((int) deleted, over.size() == atMost);
        });
    }

    @Override
    public List<AuditEntry> audit(int atMost) {
        return outbox.doing("reading the audit", () -> {
            List<AuditEntry> entries = new ArrayList<>();
            for (BsonDocument entry : outbox.audit()
                    .find(Filters.eq("outbox", outbox.name()))
                    .sort(Sorts.descending("at", Field.ID))
                    .limit(atMost)) {
                entries.add(new AuditEntry(
                        Instant.ofEpochMilli(entry.getDateTime("at").getValue()),
                        new Actor(text(entry, "who"), text(entry, "why")),
                        text(entry, "action"),
                        text(entry, "relay"),
                        text(entry, "details")));
            }
            return entries;
        });
    }

    private static String text(BsonDocument entry, String field) {
        return entry.getString(field).getValue();
    }

    /** An upsert, since only an update can ask for the server's time. */
    private void audit(Actor by, String action, RelayName relay, String details) {
        outbox.audit()
                .updateOne(
                        Filters.eq(Field.ID, new BsonObjectId(new ObjectId())),
                        Updates.combine(
                                Updates.setOnInsert("outbox", outbox.name()),
                                Updates.setOnInsert("who", Settling.cut(by.who())),
                                Updates.setOnInsert("why", Settling.cut(by.why())),
                                Updates.setOnInsert("action", action),
                                Updates.setOnInsert("relay", relay.value()),
                                Updates.setOnInsert("details", Settling.cut(details)),
                                Updates.currentDate("at")),
                        new UpdateOptions().upsert(true));
    }
}
