package dev.waybill.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.event.CommandListener;
import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;

/** An outbox on the in-memory server, records that others wrote into it, and sessions that read it. */
final class OutboxScene implements AutoCloseable {
    static final RelayName RELAY = new RelayName("orders.v1");
    static final Limits PLENTY = new Limits(1_000, 10_000_000);
    static final Duration LEASE = Duration.ofSeconds(30);

    final MongoWorld world;
    final ManualClock clock = new ManualClock();
    private final AtomicLong nanos = new AtomicLong();
    private final List<RelaySession> sessions = new ArrayList<>();

    OutboxScene() {
        this(new CommandListener() {});
    }

    OutboxScene(CommandListener listener) {
        world = MongoWorld.inMemory(listener);
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);
    }

    MongoStore store() {
        return MongoStore.on(
                world.database(),
                MongoWorld.OUTBOX,
                MongoStoreOptions.defaults().clock(clock).nanoTime(nanos::get));
    }

    MongoCollection<Document> records() {
        return world.database().getCollection(MongoWorld.OUTBOX);
    }

    void append(Event... events) {
        MongoOutbox outbox = MongoOutbox.on(world.database(), MongoWorld.OUTBOX);
        MongoTransactions.on(world.client()).call(session -> {
            outbox.append(session, events);
            return null;
        });
    }

    static Event event(String id, String entity) {
        return Event.of("user.changed")
                .aggregate("user", entity)
                .payload(Payload.json("{}"))
                .id(id);
    }

    /** A record as a service in another language writes it. */
    static Document foreign(String id, String entity, int version, Instant createdAt) {
        return new Document("event_id", id)
                .append("event_type", "user.changed")
                .append("entity_type", "user")
                .append("entity_id", entity)
                .append("entity_version", version)
                .append("topic", "sc.domain.user")
                .append("partition_key", entity)
                .append("payload", new Document("id", id))
                .append("status", "pending")
                .append("retry_count", 0)
                .append("max_retries", 5)
                .append("created_at", createdAt);
    }

    Document record(String eventId) {
        return records().find(Filters.eq("event_id", eventId)).first();
    }

    RelaySession open(String owner) {
        RelaySession session = store().open(RELAY, new OwnerId(owner), LEASE).orElseThrow();
        sessions.add(session);
        return session;
    }

    /** The ids of the events it publishes until there are no more. */
    static List<String> drain(RelaySession session) {
        List<String> published = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(PLENTY); batch.isPresent(); batch = session.claim(PLENTY)) {
            published.addAll(ids(batch.get()));
            session.settle(batch.get(), Collections.nCopies(batch.get().events().size(), Settlement.PUBLISHED));
        }
        return published;
    }

    static List<String> ids(Batch batch) {
        return batch.events().stream().map(event -> event.id().toString()).toList();
    }

    Settlement.RetryAt retryIn(Duration wait) {
        return new Settlement.RetryAt(clock.instant().plus(wait), "the broker said no");
    }

    void passNanos(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public void close() {
        sessions.forEach(RelaySession::close);
        world.close();
    }
}
