package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.RelayStatus;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.faults.Failure;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records with fields missing, and records that a person is just changing. */
class UnusualRecordsTest {
    private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");

    private final OutboxScene scene = new OutboxScene();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void a_minimal_record_is_published() {
        Document bare = OutboxScene.foreign("bare", "u1", 1, NOON);
        List.of("retry_count", "max_retries", "created_at", "entity_version", "partition_key")
                .forEach(bare::remove);
        scene.records().insertOne(bare);
        scene.records().insertOne(OutboxScene.foreign("later", "u1", 2, NOON));

        assertThat(OutboxScene.drain(scene.open("one"))).containsExactly("bare", "later");
    }

    @Test
    void the_age_of_a_record_without_a_creation_time_is_unknown() {
        Document bare = OutboxScene.foreign("bare", "u1", 1, NOON);
        bare.remove("created_at");
        scene.records().insertOne(bare);
        RelaySession session = scene.open("one");
        RelayStatus unknown = scene.store().admin().relays().get(0);
        assertThat(unknown.backlog()).isEqualTo(1);
        assertThat(unknown.oldest()).isEmpty();

        Instant recent = scene.clock.instant().minusSeconds(60);
        scene.records().insertOne(OutboxScene.foreign("later", "u2", 1, recent));
        assertThat(scene.store().admin().relays().get(0).oldest().orElseThrow()).isLessThan(Duration.ofDays(1));
        session.close();
    }

    @Test
    void what_waits_behind_one_of_many_records_of_the_same_time_is_found() {
        for (int version = 1; version <= 8; version++) {
            scene.records().insertOne(OutboxScene.foreign("e" + version, "u1", version, NOON));
        }
        RelaySession session = scene.open("one");
        Batch batch = session.claim(OutboxScene.PLENTY).orElseThrow();
        List<Settlement> settlements =
                new ArrayList<>(Collections.nCopies(batch.events().size(), Settlement.BEHIND));
        settlements.set(0, scene.retryIn(Duration.ofHours(1)));
        session.settle(batch, settlements);

        Followers followers = scene.store().admin().waitingBehind(OutboxScene.RELAY, "e5", 1);
        assertThat(followers.events()).extracting(ParkedEvent::eventId).containsExactly("e6");
        assertThat(followers.all()).isFalse();
        session.close();
    }

    @Test
    void a_failed_record_without_a_count_is_tried_again() {
        Document failed = OutboxScene.foreign("failed", "u1", 1, NOON).append("status", "failed");
        failed.remove("retry_count");
        scene.records().insertOne(failed);

        assertThat(OutboxScene.drain(scene.open("one"))).containsExactly("failed");
    }

    @Test
    void a_lock_without_an_end_expires_after_a_minute() {
        scene.records()
                .insertMany(List.of(
                        OutboxScene.foreign("left", "u1", 1, NOON)
                                .append("status", "processing")
                                .append("locked_by", "worker-7"),
                        OutboxScene.foreign("new", "u2", 1, NOON)
                                .append("status", "processing")
                                .append("locked_by", "worker-7")
                                .append("processing_started_at", Instant.now()),
                        OutboxScene.foreign("later", "u1", 2, NOON.plusMillis(1)),
                        OutboxScene.foreign("waits", "u2", 2, NOON.plusMillis(1))));
        RelaySession session = scene.open("one");
        assertThat(OutboxScene.drain(session)).containsExactly("left", "later");

        scene.records()
                .updateOne(
                        Filters.eq("event_id", "new"),
                        Updates.set("processing_started_at", Instant.now().minusSeconds(61)));
        scene.passNanos(Duration.ofSeconds(2));
        assertThat(OutboxScene.drain(session)).containsExactly("new", "waits");
    }

    @Test
    void a_manually_edited_lease_can_be_taken() {
        scene.open("one").close();
        scene.world
                .database()
                .getCollection(OutboxCollections.RELAYS)
                .updateOne(Filters.empty(), Updates.set("lease_until", "tomorrow"));

        assertThat(OutboxScene.drain(scene.open("two"))).isEmpty();
    }

    @Test
    void a_record_locked_by_a_transaction_is_awaited_and_nothing_is_repeated() {
        scene.append(OutboxScene.event("e1", "u1"), OutboxScene.event("e2", "u2"));
        RelaySession session = scene.open("one");
        Batch batch = session.claim(OutboxScene.PLENTY).orElseThrow();
        try (ClientSession person = scene.world.client().startSession()) {
            person.startTransaction();
            scene.records().updateOne(person, Filters.eq("event_id", "e1"), Updates.set("note", "looked at"));
            CompletableFuture<Void> settling = CompletableFuture.runAsync(
                    () -> session.settle(batch, List.of(Settlement.PUBLISHED, Settlement.PUBLISHED)));
            Await.until("the relay waits for the person", () -> scene.world.waiting() > 0);
            assertThat(session.renew()).isTrue();
            person.commitTransaction();
            settling.join();
        }

        assertThat(OutboxScene.drain(session)).isEmpty();
        assertThat(scene.record("e1")).containsEntry("status", "published").containsEntry("note", "looked at");
    }

    @Test
    void a_settlement_is_repeated_after_a_write_conflict() {
        scene.append(OutboxScene.event("e1", "u1"), OutboxScene.event("e2", "u1"));
        RelaySession session = scene.open("one");
        Batch batch = session.claim(OutboxScene.PLENTY).orElseThrow();
        scene.world.faults().faults().arm(1, Failure.LOCK_TIMEOUT, () -> {});
        session.settle(batch, List.of(Settlement.PUBLISHED, Settlement.PUBLISHED));

        assertThat(scene.world.faults().faults().struck()).isTrue();
        scene.world.faults().faults().disarm();
        assertThat(OutboxScene.drain(session)).isEmpty();
        assertThat(scene.record("e2")).containsEntry("status", "published");
    }
}
