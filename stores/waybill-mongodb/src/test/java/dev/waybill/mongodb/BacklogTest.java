package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many records of few keys: none hides those of another key, and none is sent out of turn. */
class BacklogTest {
    private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
    private static final Actor ANNA = new Actor("anna", "the broker is mended");

    private final Statements statements = new Statements(MongoWorld.OUTBOX);
    private final OutboxScene scene = new OutboxScene(statements);

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void more_dead_of_one_key_than_a_batch_takes_are_requeued_and_come_in_order_though_heads_fail() {
        requeueAll(400, 60, 50);
    }

    @Test
    @Tag("full")
    void five_thousand_dead_of_one_key_and_of_others_are_requeued_and_come_in_order_though_heads_fail() {
        requeueAll(5_000, 500, 1_000);
    }

    private void requeueAll(int ofOneKey, int otherKeys, int limit) {
        List<Document> dead = new ArrayList<>();
        for (int i = 0; i < ofOneKey; i++) {
            dead.add(dead("one", i));
            dead.add(dead("u" + i % otherKeys, i));
        }
        scene.records().insertMany(dead);
        RelaySession session = scene.open("one");
        assertThat(scene.store().admin().requeue(OutboxScene.RELAY, Selection.all(ParkedState.DEAD), ANNA))
                .isEqualTo(2 * ofOneKey);

        Map<String, List<Integer>> arrived = sendWhereHeadsFailOnce(session, limit);
        assertThat(arrived).hasSize(otherKeys + 1);
        assertThat(arrived.values().stream().mapToInt(List::size).sum()).isEqualTo(2 * ofOneKey);
        assertThat(arrived.values()).allSatisfy(versions -> assertThat(versions).isSorted());
    }

    private static Document dead(String key, int number) {
        return OutboxScene.foreign(key + "-" + number, key, number, NOON.plusMillis(number))
                .append("status", "failed")
                .append("retry_count", 5);
    }

    private Map<String, List<Integer>> sendWhereHeadsFailOnce(RelaySession session, int limit) {
        Map<String, List<Integer>> arrived = new LinkedHashMap<>();
        Set<Utf8> failed = new HashSet<>();
        for (int idle = 0; idle < 3; ) {
            Optional<Batch> batch = session.claim(new Limits(limit, 100_000_000));
            if (batch.isEmpty()) {
                idle++;
                scene.clock.advance(Duration.ofSeconds(2));
                scene.passNanos(Duration.ofSeconds(2));
                continue;
            }
            idle = 0;
            Set<Utf8> closed = new HashSet<>();
            List<Settlement> settlements = new ArrayList<>();
            for (StoredEvent event : batch.get().events()) {
                boolean fails = failed.add(event.orderKey());
                if (fails) {
                    closed.add(event.orderKey());
                    settlements.add(scene.retryIn(Duration.ofSeconds(1)));
                } else if (closed.contains(event.orderKey())) {
                    settlements.add(Settlement.BEHIND);
                } else {
                    settlements.add(Settlement.PUBLISHED);
                    String[] name = event.id().toString().split("-", 2);
                    arrived.computeIfAbsent(name[0], key -> new ArrayList<>()).add(Integer.parseInt(name[1]));
                }
            }
            session.settle(batch.get(), settlements);
        }
        return arrived;
    }

    @Test
    void due_retries_behind_heads_that_wait_do_not_hide_those_of_other_keys() {
        List<Document> records = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            records.add(retry("u" + i, 1, scene.clock.instant().plus(Duration.ofHours(1))));
            records.add(retry("u" + i, 2, scene.clock.instant().minusSeconds(10)));
        }
        records.add(retry("other", 9, scene.clock.instant().minusSeconds(5)));
        scene.records().insertMany(records);
        RelaySession session = scene.open("one");

        Batch batch = session.claim(new Limits(20, 1_000_000)).orElseThrow();
        assertThat(OutboxScene.ids(batch)).containsExactly("other-9");
        session.settle(batch, List.of(Settlement.PUBLISHED));
        scene.clock.advance(Duration.ofHours(2));
        scene.passNanos(Duration.ofSeconds(2));
        assertThat(OutboxScene.drain(session)).hasSize(120);
    }

    private Document retry(String key, int version, Instant next) {
        return OutboxScene.foreign(key + "-" + version, key, version, NOON.plusMillis(version))
                .append("status", "failed")
                .append("retry_count", 1)
                .append("waybill", new Document("state", "retry").append("next_attempt_at", next));
    }

    @Test
    void many_documents_of_a_closed_key_do_not_hide_another_and_are_not_read_whole() {
        assertOthersFlow(3_000, 200);
    }

    @Test
    @Tag("full")
    void a_hundred_thousand_documents_of_a_closed_key_do_not_hide_another_and_are_not_read_whole() {
        assertOthersFlow(100_000, 1_000);
    }

    private void assertOthersFlow(int closed, int limit) {
        List<Document> records = new ArrayList<>();
        records.add(retry("closed", 0, scene.clock.instant().plus(Duration.ofHours(1))));
        for (int i = 1; i <= closed; i++) {
            records.add(OutboxScene.foreign("closed-" + i, "closed", i, NOON.plusMillis(i)));
        }
        for (int i = 1; i <= 10; i++) {
            records.add(OutboxScene.foreign("other-" + i, "other", i, NOON.plusMillis(closed + i)));
        }
        scene.records().insertMany(records);
        RelaySession session = scene.open("one");
        statements.forget();
        long begun = System.nanoTime();
        Batch batch = session.claim(new Limits(limit, 100_000_000)).orElseThrow();
        System.out.println("BacklogTest: " + closed + " documents of a closed key in front of another: claimed in "
                + Duration.ofNanos(System.nanoTime() - begun).toMillis() + " ms, "
                + statements.payloadsReturned() + " documents were read whole");
        assertThat(OutboxScene.ids(batch)).hasSize(10).startsWith("other-1");
        assertThat(statements.payloadsReturned()).isEqualTo(10);
    }
}
