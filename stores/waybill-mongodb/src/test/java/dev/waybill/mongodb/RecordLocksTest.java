package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Claims, locks and failures in the records, together with workers that are not Waybill's. */
class RecordLocksTest {
    private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");

    private final OutboxScene scene = new OutboxScene();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void a_claimed_record_is_locked_for_a_minute_by_the_servers_clock_and_a_published_one_is_free() {
        scene.append(OutboxScene.event("e1", "u1"));
        RelaySession session = scene.open("one");
        Batch batch = session.claim(OutboxScene.PLENTY).orElseThrow();

        Document claimed = scene.record("e1");
        assertThat(claimed)
                .containsEntry("status", "processing")
                .containsEntry("locked_by", "orders.v1#" + session.epoch() + " one");
        Instant started = claimed.getDate("processing_started_at").toInstant();
        assertThat(started).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        assertThat(claimed.getDate("locked_until").toInstant()).isEqualTo(started.plusSeconds(60));

        session.settle(batch, List.of(Settlement.PUBLISHED));
        Document published = scene.record("e1");
        assertThat(published)
                .containsEntry("status", "published")
                .containsEntry("locked_by", null)
                .containsEntry("locked_until", null)
                .containsEntry("retry_count", 0);
        assertThat(published.getDate("published_at").toInstant()).isAfterOrEqualTo(started);
    }

    @Test
    void the_oldest_is_first_and_the_version_decides_for_equal_times() {
        scene.records()
                .insertMany(List.of(
                        OutboxScene.foreign("u1-v3", "u1", 3, NOON),
                        OutboxScene.foreign("u1-v1", "u1", 1, NOON),
                        OutboxScene.foreign("u2-v9", "u2", 9, NOON.minusMillis(1)),
                        OutboxScene.foreign("u1-v2", "u1", 2, NOON)));

        assertThat(OutboxScene.drain(scene.open("one"))).containsExactly("u2-v9", "u1-v1", "u1-v2", "u1-v3");
    }

    @Test
    void more_of_one_millisecond_than_a_batch_takes_still_come_in_the_order_of_their_versions() {
        for (int version = 40; version > 0; version--) {
            scene.records().insertOne(OutboxScene.foreign("v" + version, "u1", version, NOON));
        }
        RelaySession session = scene.open("one");
        for (int from = 1; from <= 40; from += 4) {
            Batch batch = session.claim(new Limits(4, 1_000_000)).orElseThrow();
            assertThat(OutboxScene.ids(batch))
                    .containsExactly("v" + from, "v" + (from + 1), "v" + (from + 2), "v" + (from + 3));
            session.settle(
                    batch,
                    List.of(Settlement.PUBLISHED, Settlement.PUBLISHED, Settlement.PUBLISHED, Settlement.PUBLISHED));
        }
    }

    @Test
    void of_one_millisecond_without_versions_the_one_that_was_appended_first_comes_first() {
        for (int i = 1; i <= 3; i++) {
            Document record = OutboxScene.foreign("e" + i, "u1", 0, NOON)
                    .append("_id", "of process " + (9 - i))
                    .append("appended_at", new BsonTimestamp(1_700_000_000, i));
            record.remove("entity_version");
            scene.records().insertOne(record);
        }

        assertThat(OutboxScene.drain(scene.open("one"))).containsExactly("e1", "e2", "e3");
    }

    @Test
    void of_one_millisecond_those_before_a_locked_one_of_their_entity_and_those_of_others_do_not_wait() {
        scene.records()
                .insertMany(List.of(
                        OutboxScene.foreign("u1-v1", "u1", 1, NOON),
                        OutboxScene.foreign("u1-v2", "u1", 2, NOON)
                                .append("status", "processing")
                                .append("locked_by", "worker-7")
                                .append("locked_until", Instant.now().plusSeconds(600)),
                        OutboxScene.foreign("u1-v3", "u1", 3, NOON),
                        OutboxScene.foreign("u2-v1", "u2", 1, NOON)));

        assertThat(OutboxScene.drain(scene.open("one"))).containsExactly("u1-v1", "u2-v1");
    }

    @Test
    void entities_locked_by_another_worker_wait_until_the_lock_expires() {
        Instant soon = Instant.now().plusSeconds(600);
        scene.records()
                .insertMany(List.of(
                        OutboxScene.foreign("u1-v1", "u1", 1, NOON)
                                .append("status", "processing")
                                .append("locked_by", "worker-7")
                                .append("locked_until", soon),
                        OutboxScene.foreign("u1-v2", "u1", 2, NOON.plusMillis(1)),
                        OutboxScene.foreign("u2-v1", "u2", 1, NOON.plusMillis(2))));
        RelaySession session = scene.open("one");
        assertThat(OutboxScene.drain(session)).containsExactly("u2-v1");
        assertThat(scene.record("u1-v1")).containsEntry("locked_by", "worker-7");

        scene.records()
                .updateOne(
                        Filters.eq("event_id", "u1-v1"),
                        Updates.set("locked_until", Instant.now().minusSeconds(1)));
        scene.passNanos(Duration.ofSeconds(2));
        assertThat(OutboxScene.drain(session)).containsExactly("u1-v1", "u1-v2");
    }

    /** The server's clock was set back after it was taken. A long lock of another worker is no such lock. */
    @Test
    void a_lock_of_another_worker_that_begins_in_the_future_has_expired() {
        Instant now = Instant.now();
        scene.records()
                .insertMany(List.of(
                        OutboxScene.foreign("u1-v1", "u1", 1, NOON)
                                .append("status", "processing")
                                .append("locked_by", "worker-7")
                                .append("processing_started_at", now.plusSeconds(3_000))
                                .append("locked_until", now.plusSeconds(3_060)),
                        OutboxScene.foreign("u1-v2", "u1", 2, NOON.plusMillis(1)),
                        OutboxScene.foreign("u2-v1", "u2", 1, NOON.plusMillis(2))
                                .append("status", "processing")
                                .append("locked_by", "worker-8")
                                .append("processing_started_at", now)
                                .append("locked_until", now.plusSeconds(3_600))));

        assertThat(OutboxScene.drain(scene.open("one"))).containsExactly("u1-v1", "u1-v2");
    }

    @ParameterizedTest
    @CsvSource({"30, 0", "0, -30", "30, -30"})
    void a_retry_is_due_after_its_wait_in_processes_whose_clocks_are_wrong(int minutesOfWriter, int minutesOfReader) {
        InstantSource clock = () -> Instant.now().plus(Duration.ofMinutes(minutesOfWriter));
        scene.append(OutboxScene.event("e1", "u1"));
        try (RelaySession writer = withOwnClock(clock)) {
            writer.settle(
                    writer.claim(OutboxScene.PLENTY).orElseThrow(),
                    List.of(new Settlement.RetryAt(clock.instant().plusMillis(1), "not now")));
        }

        try (RelaySession reader = withOwnClock(() -> Instant.now().plus(Duration.ofMinutes(minutesOfReader)))) {
            Await.until("the record is due", () -> OutboxScene.drain(reader).contains("e1"));
        }
    }

    private RelaySession withOwnClock(InstantSource clock) {
        return MongoStore.on(
                        scene.world.database(),
                        MongoWorld.OUTBOX,
                        MongoStoreOptions.defaults().ownClock(clock))
                .open(OutboxScene.RELAY, new OwnerId("one"), OutboxScene.LEASE)
                .orElseThrow();
    }

    @Test
    void failures_of_another_worker_are_retried_until_no_retries_are_left() {
        scene.records()
                .insertMany(List.of(
                        OutboxScene.foreign("again", "u1", 1, NOON)
                                .append("status", "failed")
                                .append("retry_count", 2),
                        OutboxScene.foreign("behind", "u1", 2, NOON.plusMillis(1)),
                        OutboxScene.foreign("dead", "u2", 1, NOON)
                                .append("status", "failed")
                                .append("retry_count", 5)
                                .append("last_error", "no such topic"),
                        OutboxScene.foreign("passing", "u2", 2, NOON.plusMillis(1))));
        RelaySession session = scene.open("one");

        assertThat(OutboxScene.drain(session)).containsExactlyInAnyOrder("again", "passing", "behind");
        assertThat(scene.store().admin().parked(ParkedQuery.of(OutboxScene.RELAY)))
                .singleElement()
                .satisfies(dead -> {
                    assertThat(dead.eventId()).isEqualTo("dead");
                    assertThat(dead.state()).isEqualTo(ParkedState.DEAD);
                    assertThat(dead.error()).contains("no such topic");
                    assertThat(dead.attempts()).isEqualTo(5);
                });
    }

    @Test
    void a_failure_that_is_written_while_the_session_runs_is_found_within_ten_seconds() {
        RelaySession session = scene.open("one");
        scene.records()
                .insertOne(OutboxScene.foreign("again", "u1", 1, NOON)
                        .append("status", "failed")
                        .append("retry_count", 1));
        assertThat(OutboxScene.drain(session)).isEmpty();

        scene.passNanos(Duration.ofSeconds(10));
        assertThat(OutboxScene.drain(session)).containsExactly("again");
    }

    @Test
    void failures_are_counted_in_the_record_and_the_fifth_makes_it_dead() {
        scene.append(OutboxScene.event("e1", "u1"), OutboxScene.event("e2", "u1"));
        RelaySession session = scene.open("one");
        for (int failure = 1; failure <= 5; failure++) {
            Batch batch = session.claim(OutboxScene.PLENTY).orElseThrow();
            assertThat(batch.events().get(0).attempts()).isEqualTo(failure - 1);
            Settlement outcome = failure < 5
                    ? scene.retryIn(Duration.ofSeconds(1))
                    : new Settlement.Dead("the broker said no", true, false);
            session.settle(batch, failure == 1 ? List.of(outcome, Settlement.BEHIND) : List.of(outcome));
            Document record = scene.record("e1");
            assertThat(record)
                    .containsEntry("status", "failed")
                    .containsEntry("retry_count", failure)
                    .containsEntry("last_error", "the broker said no")
                    .containsEntry("locked_by", null);
            assertThat(record.getDate("last_error_at")).isInstanceOf(Date.class);
            scene.clock.advance(Duration.ofSeconds(1));
        }

        assertThat(OutboxScene.drain(session)).containsExactly("e2");
        assertThat(scene.store().admin().relays().get(0).dead()).isEqualTo(1);
    }

    @Test
    void a_refused_record_has_no_retries_left_for_other_workers() {
        scene.append(OutboxScene.event("e1", "u1"));
        RelaySession session = scene.open("one");
        Batch batch = session.claim(OutboxScene.PLENTY).orElseThrow();
        session.settle(batch, List.of(new Settlement.Dead("no route", false, false)));

        assertThat(scene.record("e1")).containsEntry("status", "failed").containsEntry("retry_count", 5);
        assertThat(scene.store()
                        .admin()
                        .parked(ParkedQuery.of(OutboxScene.RELAY))
                        .get(0)
                        .attempts())
                .isZero();
    }

    @Test
    void renewing_extends_locks_that_have_lost_half_of_their_time() {
        scene.append(OutboxScene.event("e1", "u1"));
        MongoStore brief = MongoStore.on(
                scene.world.database(),
                MongoWorld.OUTBOX,
                MongoStoreOptions.defaults().lock(Duration.ofSeconds(1)));
        RelaySession session = brief.open(OutboxScene.RELAY, new OwnerId("one"), OutboxScene.LEASE)
                .orElseThrow();
        assertThat(session.claim(OutboxScene.PLENTY)).isPresent();
        Instant before = scene.record("e1").getDate("locked_until").toInstant();

        Await.until(
                "the lock is extended",
                () -> session.renew()
                        && scene.record("e1")
                                .getDate("locked_until")
                                .toInstant()
                                .isAfter(before));
        session.close();
    }

    @Test
    void late_locks_of_a_replaced_session_expire() {
        scene.append(OutboxScene.event("e1", "u1"));
        RelaySession session = scene.open("one");
        scene.records()
                .updateMany(
                        Filters.empty(),
                        Updates.combine(
                                Updates.set("status", "processing"),
                                Updates.set("locked_by", "orders.v1#0 a zombie"),
                                Updates.set("locked_until", Instant.now().minusMillis(1))));

        assertThat(OutboxScene.drain(session)).containsExactly("e1");
    }

    @Test
    void a_session_whose_records_were_taken_over_changes_nothing() {
        scene.append(OutboxScene.event("e1", "u1"));
        RelaySession old = scene.open("one");
        Batch batch = old.claim(OutboxScene.PLENTY).orElseThrow();
        RelaySession successor = scene.open("one");

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> old.settle(batch, List.of(Settlement.PUBLISHED)));
        assertThat(scene.record("e1")).containsEntry("status", "pending");
        assertThat(OutboxScene.drain(successor)).containsExactly("e1");
    }

    @Test
    void a_collection_without_its_indexes_is_refused_with_the_remedy() {
        MongoStore bare = MongoStore.on(scene.world.database(), "somewhere_else");

        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> bare.open(OutboxScene.RELAY, new OwnerId("one"), OutboxScene.LEASE))
                .withMessageContaining("somewhere_else")
                .withMessageContaining("MongoSchema.create");
    }

    @Test
    void a_thousand_waiting_records_do_not_hide_later_ones() {
        for (int i = 0; i < 1_200; i++) {
            scene.records().insertOne(OutboxScene.foreign("u1-" + i, "u1", i, NOON.plusMillis(i)));
        }
        RelaySession session = scene.open("one");
        Batch first = session.claim(new Limits(1, 1_000)).orElseThrow();
        session.settle(first, List.of(scene.retryIn(Duration.ofHours(1))));
        scene.records().insertOne(OutboxScene.foreign("u2-1", "u2", 1, NOON.plusSeconds(60)));

        assertThat(OutboxScene.drain(session)).containsExactly("u2-1");
        scene.records().insertOne(OutboxScene.foreign("u2-2", "u2", 2, NOON.plusSeconds(61)));
        assertThat(OutboxScene.drain(session)).containsExactly("u2-2");
        scene.clock.advance(Duration.ofHours(1));
        assertThat(OutboxScene.drain(session))
                .hasSize(1_200)
                .startsWith("u1-0", "u1-1")
                .endsWith("u1-1199");
    }
}
