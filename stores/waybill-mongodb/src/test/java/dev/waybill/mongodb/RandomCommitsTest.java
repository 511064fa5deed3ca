package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import dev.waybill.tck.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactions of several applications are open at once and end in any order, while a relay reads and some sends fail. */
class RandomCommitsTest {
    private static final int ENTITIES = 4;
    private static final int MOST_OPEN = 5;
    private static final int STEPS = 400;

    private final long seed = Seeds.one();
    private final Random random = new Random(seed);
    private final OutboxScene scene = new OutboxScene();
    private final MongoOutbox outbox = MongoOutbox.on(scene.world.database(), MongoWorld.OUTBOX);
    private final MongoCollection<Document> users = scene.world.database().getCollection("users");
    private final List<Change> open = new ArrayList<>();
    private final Map<String, List<String>> committed = new LinkedHashMap<>();
    private final Map<String, List<String>> arrived = new LinkedHashMap<>();
    private int events;
    private int conflicts;

    private record Change(ClientSession session, String entity, String event) {}

    @AfterEach
    void close() {
        open.forEach(change -> change.session.close());
        scene.close();
    }

    @Test
    void events_of_an_entity_come_in_the_order_of_its_changes() {
        for (int i = 0; i < ENTITIES; i++) {
            users.insertOne(new Document("_id", "u" + i).append("changes", 0));
        }
        RelaySession session = scene.open("one");
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> begin();
                case 2 -> endOne();
                default -> send(session, true);
            }
        }
        while (!open.isEmpty()) {
            endOne();
        }
        for (int round = 0; round < 3 || send(session, false); round++) {
            scene.clock.advance(Duration.ofSeconds(1));
            scene.passNanos(Duration.ofSeconds(1));
        }

        System.out.println("RandomCommitsTest: seed " + seed + ", " + events + " events, " + conflicts + " conflicts");
        assertThat(arrived).as("seed %d", seed).isEqualTo(committed);
    }

    /** The entity is changed first, so that a concurrent change fails with a conflict. */
    private void begin() {
        if (open.size() == MOST_OPEN) {
            return;
        }
        String entity = "u" + random.nextInt(ENTITIES);
        String event = "e" + ++events;
        ClientSession session = scene.world.client().startSession();
        session.startTransaction();
        try {
            users.updateOne(session, Filters.eq("_id", entity), Updates.inc("changes", 1), new UpdateOptions());
            outbox.append(session, OutboxScene.event(event, entity));
            open.add(new Change(session, entity, event));
        } catch (MongoException e) {
            assertThat(MongoFailure.of(e)).isEqualTo(MongoFailure.CONFLICT);
            conflicts++;
            session.abortTransaction();
            session.close();
        }
    }

    private void endOne() {
        if (open.isEmpty()) {
            return;
        }
        Change change = open.remove(random.nextInt(open.size()));
        if (random.nextInt(5) == 0) {
            change.session.abortTransaction();
        } else {
            change.session.commitTransaction();
            committed.computeIfAbsent(change.entity, key -> new ArrayList<>()).add(change.event);
        }
        change.session.close();
    }

    /** @return whether there was something to send */
    private boolean send(RelaySession session, boolean mayFail) {
        scene.passNanos(Duration.ofMillis(200));
        scene.clock.advance(Duration.ofMillis(200));
        Optional<Batch> batch = session.claim(new Limits(1 + random.nextInt(5), 1_000_000));
        if (batch.isEmpty()) {
            return false;
        }
        Set<Utf8> closed = new HashSet<>();
        List<Settlement> settlements = new ArrayList<>();
        for (StoredEvent event : batch.get().events()) {
            if (closed.contains(event.orderKey())) {
                settlements.add(Settlement.BEHIND);
            } else if (mayFail && event.attempts() < 3 && random.nextInt(4) == 0) {
                closed.add(event.orderKey());
                settlements.add(scene.retryIn(Duration.ofMillis(500)));
            } else {
                settlements.add(Settlement.PUBLISHED);
                arrived.computeIfAbsent(event.aggregateId().toString(), key -> new ArrayList<>())
                        .add(event.id().toString());
            }
        }
        session.settle(batch.get(), settlements);
        return true;
    }
}
