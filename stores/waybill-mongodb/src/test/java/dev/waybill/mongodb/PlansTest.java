package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every statement of a relay and of its operator is served by an index, and a claim looks at few documents. */
class PlansTest {
    private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
    private static final Actor ANNA = new Actor("anna", "a look at the plans");

    private final Statements statements = new Statements(MongoWorld.OUTBOX);
    private final OutboxScene scene = new OutboxScene(statements);

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void every_statement_is_served_by_an_index_equality_then_sort_then_range() {
        scene.append(OutboxScene.event("e1", "u1"), OutboxScene.event("e2", "u1"), OutboxScene.event("e3", "u2"));
        scene.records().insertOne(OutboxScene.foreign("e4", "u3", 1, NOON).append("status", "failed"));
        statements.forget();
        RelaySession session = scene.open("one");
        Batch batch = session.claim(OutboxScene.PLENTY).orElseThrow();
        session.renew();
        List<Settlement> settlements = new ArrayList<>();
        batch.events()
                .forEach(event -> settlements.add(
                        switch (event.id().toString()) {
                            case "e1" -> scene.retryIn(Duration.ofSeconds(1));
                            case "e2" -> Settlement.BEHIND;
                            case "e3" -> new Settlement.Dead("no", true, false);
                            default -> Settlement.PUBLISHED;
                        }));
        session.settle(batch, settlements);
        operate(scene.store().admin());
        scene.clock.advance(Duration.ofSeconds(1));
        scene.passNanos(Duration.ofSeconds(20));
        OutboxScene.drain(session);
        session.close();
        scene.store().admin().drop(OutboxScene.RELAY, ANNA);

        assertThat(statements.all()).hasSizeGreaterThan(40);
        assertThat(statements.all().stream()
                        .map(this::problem)
                        .flatMap(Optional::stream)
                        .distinct()
                        .toList())
                .isEmpty();
    }

    private static void operate(StoreAdmin admin) {
        admin.relays();
        for (ParkedState state : ParkedState.values()) {
            admin.parked(ParkedQuery.of(OutboxScene.RELAY).in(state));
        }
        admin.events(EventQuery.of(EventFilter.ALL));
        admin.show("e1");
        admin.requeue(OutboxScene.RELAY, Selection.of("e3"), ANNA);
        admin.requeue(OutboxScene.RELAY, Selection.all(ParkedState.DUE), ANNA);
        admin.discard(OutboxScene.RELAY, Selection.of("e3"), ANNA);
        admin.purge(Duration.ofDays(1), 10);
        admin.examine();
    }

    private Optional<String> problem(Statements.Statement statement) {
        if (statement.filter().isEmpty()) {
            return Optional.of("reads everything: " + statement);
        }
        for (Optional<QueryPlan> plan : QueryPlan.of(statement.filter(), statement.sort(), indexes())) {
            if (plan.isEmpty()) {
                return Optional.of("no index for " + statement);
            }
            if (!plan.get().residual().isEmpty() && !isBounded(plan.get())) {
                return Optional.of("reads more than it needs, " + plan.get() + ": " + statement);
            }
        }
        return Optional.empty();
    }

    /** Few records are in flight, found by id, or discarded. */
    private static boolean isBounded(QueryPlan plan) {
        String bounds = plan.bounds().toJson();
        return bounds.contains(Field.PROCESSING)
                || plan.bounds().containsKey(Field.ID)
                || plan.bounds().containsKey(Field.EVENT_ID)
                || (plan.bounds().isNull(Field.PUBLISHED_AT) && plan.residual().equals(Set.of(Field.CREATED_AT)));
    }

    private List<BsonDocument> indexes() {
        return scene.world
                .unfailingDatabase()
                .getCollection(MongoWorld.OUTBOX)
                .listIndexes(BsonDocument.class)
                .into(new ArrayList<>());
    }

    @Test
    void a_claim_reads_few_of_many_pending_documents() {
        assertFewAreLookedAt(2_000, 20, 100);
    }

    @Test
    @Tag("full")
    void a_claim_reads_few_of_a_hundred_thousand_pending_documents() {
        assertFewAreLookedAt(100_000, 100, 1_000);
    }

    /** Where the scan begins and again when it has come far; also with as many dead records beside them. */
    private void assertFewAreLookedAt(int pending, int keys, int limit) {
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < pending; i++) {
            String key = "u" + i % keys;
            documents.add(OutboxScene.foreign("e" + i, key, i, NOON.plusMillis(i)));
            documents.add(OutboxScene.foreign("dead" + i, key, i, NOON.plusMillis(i))
                    .append("status", "failed")
                    .append("retry_count", 5)
                    .append("waybill", new Document("state", "dead").append("attempts", 5)));
        }
        scene.records().insertMany(documents);
        RelaySession session = scene.open("one");
        for (int claim = 1; claim <= 3; claim++) {
            scene.passNanos(Duration.ofSeconds(20));
            statements.forget();
            Batch batch = session.claim(new Limits(limit, 100_000_000)).orElseThrow();
            assertThat(batch.events()).hasSize(limit);
            long examined = statements.all().stream().mapToLong(this::examined).sum();
            System.out.println("PlansTest: claim " + claim + " of " + limit + " looks at " + examined + " documents, "
                    + pending + " are pending over " + keys + " keys");
            assertThat(examined).as("documents looked at in claim %d", claim).isLessThan(12L * limit);
        }
    }

    /**
     * A find that is sorted by its index and filters nothing else looks at what it returns. Elsewhere the documents within the
     * bounds are counted, but not those of a unique index: the in-memory server reads all documents for each count, and a claim
     * has a thousand such updates.
     */
    private long examined(Statements.Statement statement) {
        MongoCollection<Document> records = scene.world.unfailingDatabase().getCollection(MongoWorld.OUTBOX);
        long examined = 0;
        for (Optional<QueryPlan> plan : QueryPlan.of(statement.filter(), statement.sort(), indexes())) {
            boolean exact = plan.isPresent() && plan.get().residual().isEmpty();
            if (exact && statement.isFind()) {
                examined += statement.returned();
            } else if (plan.isPresent() && plan.get().atMost().isPresent()) {
                examined += plan.get().atMost().getAsLong();
            } else {
                long all = records.countDocuments(plan.map(QueryPlan::bounds).orElse(new BsonDocument()));
                examined += exact && statement.limit() > 0 ? Math.min(all, statement.limit()) : all;
            }
        }
        return examined;
    }
}
