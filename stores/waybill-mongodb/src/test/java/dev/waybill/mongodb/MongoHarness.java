package dev.waybill.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.waybill.Event;
import dev.waybill.RelayName;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.StoreHarness;
import dev.waybill.tck.StoredField;
import dev.waybill.tck.faults.FaultInjection;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;

/** An empty outbox in MongoDB. */
final class MongoHarness implements StoreHarness {
    private final MongoWorld world;
    private final ManualClock clock = new ManualClock();
    private final MongoStore store;
    private final MongoOutbox outbox;

    MongoHarness(MongoWorld world) {
        this.world = world;
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);
        this.store = MongoStore.on(
                world.database(),
                MongoWorld.OUTBOX,
                MongoStoreOptions.defaults()
                        .clock(clock)
                        .nanoTime(() -> clock.instant().toEpochMilli() * 1_000_000));
        this.outbox = MongoOutbox.on(world.database(), MongoWorld.OUTBOX);
    }

    @Override
    public EventStore store() {
        return store;
    }

    @Override
    public StoreAdmin admin() {
        return store.admin();
    }

    @Override
    public boolean ordered() {
        return true;
    }

    @Override
    public boolean severalRelays() {
        return false;
    }

    @Override
    public Tx begin() {
        ClientSession session = world.client().startSession();
        session.startTransaction();
        return new SessionTx(session, outbox);
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    @Override
    public Set<StoredField> keeps() {
        return EnumSet.allOf(StoredField.class);
    }

    @Override
    public String aggregateId(String name) {
        return name;
    }

    @Override
    public Optional<FaultInjection> faults() {
        return Optional.of(world.faults());
    }

    @Override
    public void expireLease(RelayName relay) {
        world.unfailingDatabase()
                .getCollection(OutboxCollections.RELAYS)
                .updateOne(Filters.eq("name", relay.value()), Updates.set("lease_until", Instant.EPOCH));
    }

    @Override
    public Optional<ForeignWorker> foreignWorker() {
        return Optional.of(new OtherWorker(world.database().getCollection(MongoWorld.OUTBOX)));
    }

    @Override
    public void close() {
        world.close();
    }

    /** Follows the documented record and knows nothing of relays. */
    private record OtherWorker(MongoCollection<Document> records) implements ForeignWorker {
        @Override
        public boolean lock(String eventId) {
            return change(
                    Filters.and(Filters.eq("event_id", eventId), Filters.eq("status", "pending")),
                    Updates.set("status", "processing"),
                    Updates.set("locked_by", "another worker"),
                    Updates.set("locked_until", Instant.now().plusSeconds(600)));
        }

        @Override
        public void unlock(String eventId) {
            end(eventId, Updates.set("status", "pending"));
        }

        @Override
        public void publish(String eventId) {
            end(eventId, Updates.set("status", "published"), Updates.set("published_at", Instant.now()));
        }

        @Override
        public void fail(String eventId) {
            end(eventId, Updates.set("status", "failed"));
        }

        @Override
        public void giveUp(String eventId) {
            end(eventId, Updates.set("status", "failed"), Updates.set("retry_count", 5));
        }

        private void end(String eventId, Bson... outcome) {
            Bson own = Filters.and(Filters.eq("event_id", eventId), Filters.eq("locked_by", "another worker"));
            change(own, Updates.combine(outcome), Updates.set("locked_by", null), Updates.set("locked_until", null));
        }

        private boolean change(Bson which, Bson... updates) {
            return records.updateOne(which, Updates.combine(updates)).getMatchedCount() == 1;
        }
    }

    private record SessionTx(ClientSession session, MongoOutbox outbox) implements Tx {
        @Override
        public void append(Event... events) {
            outbox.append(session, List.of(events));
        }

        @Override
        public int appendIfAbsent(Event... events) {
            return outbox.appendIfAbsent(session, List.of(events));
        }

        @Override
        public void commit() {
            MongoTransactions.commit(session);
            session.close();
        }

        @Override
        public void rollback() {
            if (session.hasActiveTransaction()) {
                session.abortTransaction();
            }
            session.close();
        }
    }
}
