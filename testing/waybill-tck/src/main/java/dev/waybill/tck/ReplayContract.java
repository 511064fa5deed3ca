package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.ChangedEvents;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.ReplayStatus.State;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The contract of replays, for stores that support them in addition to {@link StoreContract}:
 *
 * <pre>{@code
 * class MyReplayContractTest extends ReplayContract {
 *     @Override
 *     protected ReplayHarness newStore() {
 *         return new MyStoreHarness();
 *     }
 * }
 * }</pre>
 */
public abstract class ReplayContract extends ReplayEndingContract {
    // ---- what it sends

    @Test
    void what_was_published_comes_again_in_order_and_then_the_replay_is_through() {
        append("a1", "b1", "a2");
        drain();
        assertThat(harness().replays().preview(ReplayQuery.EVERYTHING)).isEqualTo(new ReplaySize(3, true));
        assertThat(start(ReplayQuery.EVERYTHING).counts().notSent()).isEqualTo(new ReplaySize(3, true));
        status(State.OPEN);

        expect(replay().drain(), "a1", "b1", "a2");
        assertThat(status(State.THROUGH).counts()).isEqualTo(new ReplayStatus.Counts(3, ReplaySize.NONE, 0, 0));
    }

    @Test
    void what_is_committed_after_it_began_is_not_part_of_it() {
        append("a1");
        start(ReplayQuery.EVERYTHING);
        append("a2");

        expect(replay().drain(), "a1");
        status(State.THROUGH);
    }

    @Test
    void only_one_aggregate_comes_when_asked_for() {
        append("a1", "b1", "a2", "c1", "a3");
        ReplayQuery oneKey = ReplayQuery.EVERYTHING.aggregateId(aggregateId("a"));
        assertThat(harness().replays().preview(oneKey)).isEqualTo(new ReplaySize(3, true));
        start(oneKey);

        expect(replay().drain(), "a1", "a2", "a3");
    }

    @Test
    void only_one_type_comes_when_asked_for() {
        append("a1");
        start(ReplayQuery.EVERYTHING.type("tck.happened.v2"));
        assertThat(replay().drain()).isEmpty();
        assertThat(status(State.THROUGH).counts().sent()).isZero();

        harness().replays().start(OTHER_RELAY, ReplayQuery.EVERYTHING.type("tck.happened.v1"), ANNA);
        assertThat(harness()
                        .replays()
                        .replay(OTHER_RELAY)
                        .orElseThrow()
                        .counts()
                        .notSent()
                        .events())
                .isEqualTo(1);
    }

    @Test
    void a_key_in_a_time_range_comes_and_nothing_else() {
        List<String> names = List.of("a1", "b1", "a2", "b2", "a3", "a4", "b3", "a5");
        for (String name : names) {
            append(name);
            pass(Duration.ofSeconds(1));
        }
        drain();
        Instant from = createdAt("a2");
        Instant until = createdAt("a4");
        String[] expected = names.stream()
                .filter(name -> name.startsWith("a"))
                .filter(name ->
                        !createdAt(name).isBefore(from) && createdAt(name).isBefore(until))
                .toArray(String[]::new);
        ReplayQuery query =
                ReplayQuery.EVERYTHING.aggregateId(aggregateId("a")).from(from).until(until);
        assertThat(harness().replays().preview(query)).isEqualTo(new ReplaySize(expected.length, true));
        start(query);

        expect(replay().drain(), expected);
    }

    private Instant createdAt(String name) {
        return admin().show(id(name)).orElseThrow().createdAt();
    }

    @Test
    void other_relays_know_nothing_of_it() {
        append("a1", "b1", "c1");
        drain(Map.of("b1", deadPassing()));
        append("d1");
        start(ReplayQuery.EVERYTHING);
        expect(replay().drain(Map.of("a1", retryIn(SHORT))), "b1", "c1", "d1");

        assertThat(admin().relays()).singleElement().satisfies(relay -> {
            assertThat(relay.name()).isEqualTo(RELAY.value());
            assertThat(relay.dead()).isEqualTo(1);
            assertThat(relay.parked()).isZero();
        });
        expect(drain(), "d1");
        assertThat(state("a1")).isEqualTo(EventHistory.State.PUBLISHED);
        assertThat(state("b1")).isEqualTo(EventHistory.State.DEAD);
    }

    // ---- failures

    @Test
    void what_is_in_flight_behind_a_retry_that_is_discarded_is_not_overtaken() {
        append("a1", "a2", "a3");
        start(ReplayQuery.EVERYTHING);
        Courier replay = replay().limits(1, 1_000_000);
        Batch failing = replay.claim();
        Batch late = replay.claim();
        replay.settle(failing, retryIn(LONG));
        assertThat(admin().discard(REPLAY, ids("a1"), ANNA)).isEqualTo(1);

        assertThat(replay.claimAhead()).isEmpty();
        replay.settle(late, Settlement.BEHIND);
        expect(replay.drain(), "a2", "a3");
    }

    @Test
    void what_waits_behind_a_retry_that_is_discarded_comes_before_later_events() {
        append("a1", "a2", "b1", "b2", "a3");
        start(ReplayQuery.EVERYTHING);
        Courier replay = replay().limits(1, 1_000_000);
        replay.settle(replay.claim(), retryIn(LONG));
        replay.publish(replay.claim());
        assertThat(admin().discard(REPLAY, ids("a1"), ANNA)).isEqualTo(1);

        List<String> came = new ArrayList<>(replay.drain());
        came.addAll(replay.drain());
        assertThat(came).containsSubsequence("a2", "a3").contains("b2").hasSize(3);
    }

    @Test
    void what_is_discarded_while_its_retry_is_out_is_not_sent_again() {
        append("a1", "a2");
        start(ReplayQuery.EVERYTHING);
        Courier replay = replay();
        replay.drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        Batch retry = replay.claim();
        admin().discard(REPLAY, ids("a1"), ANNA);
        replay.settle(retry, retryIn(SHORT));
        pass(SHORT);

        expect(replay.drain(), "a2");
    }

    @Test
    void what_waits_behind_a_retry_is_not_sent_if_it_is_discarded() {
        append("a1", "a2", "a3");
        start(ReplayQuery.EVERYTHING);
        Courier replay = replay();
        replay.drain(Map.of("a1", retryIn(SHORT)));
        assertThat(admin().previewDiscard(REPLAY, ids("a2"))).isEqualTo(new DiscardPreview(1, true));
        assertThat(admin().discard(REPLAY, ids("a2"), ANNA)).isEqualTo(1);
        pass(SHORT);

        expect(replay.drain(), "a1", "a3");
    }

    @Test
    void what_was_sent_already_or_is_not_read_yet_is_not_discarded() {
        append("a1", "a2", "a3");
        start(ReplayQuery.EVERYTHING);
        Courier replay = replay().limits(1, 1_000_000);
        replay.publish(replay.claim());
        replay.settle(replay.claim(), retryIn(SHORT));
        assertThat(admin().previewDiscard(REPLAY, ids("a1", "a3"))).isEqualTo(new DiscardPreview(0, true));
        assertThat(admin().discard(REPLAY, ids("a1", "a3"), ANNA)).isZero();
        assertThat(ChangedEvents.of(admin().audit(1).get(0).details())
                        .orElseThrow()
                        .changed())
                .isEmpty();
        pass(SHORT);

        List<String> came = new ArrayList<>(replay.drain());
        came.addAll(replay.drain());
        assertThat(came).containsExactly("a2", "a3");
    }

    @Test
    void a_requeue_of_what_follows_others_of_its_key_changes_nothing() {
        append("a1", "a2", "a3", "a4");
        start(ReplayQuery.EVERYTHING);
        Courier replay = replay();
        replay.drain(Map.of("a1", retryIn(SHORT)));
        assertThat(admin().previewRequeue(REPLAY, ids("a3"))).isEqualTo(new RequeuePreview(0, 0, true));
        assertThat(admin().requeue(REPLAY, ids("a3"), ANNA)).isZero();
        pass(SHORT);
        replay.limits(1, 1_000_000).publish(replay.claim());
        assertThat(admin().requeue(REPLAY, ids("a3"), ANNA)).isZero();

        expect(replay.limits(1_000, 1_000_000).drain(), "a2", "a3", "a4");
    }

    @Test
    void what_fails_is_sent_again_by_the_replay_with_its_key_in_order() {
        append("a1", "a2", "b1", "a3");
        start(ReplayQuery.EVERYTHING);
        Courier courier = replay();
        expect(courier.limits(2, 1_000_000).drain(Map.of("a1", retryIn(SHORT))), "b1");
        ReplayStatus.Counts waiting = status(State.OPEN).counts();
        assertThat(waiting.sent()).isEqualTo(1);
        assertThat(waiting.parked()).isEqualTo(3);
        pass(SHORT);

        expect(courier.drain(), "a1", "a2", "a3");
        assertThat(status(State.THROUGH).counts()).isEqualTo(new ReplayStatus.Counts(4, ReplaySize.NONE, 0, 0));
    }

    @Test
    void what_is_given_up_is_dead_under_the_replays_name_and_the_rest_is_sent() {
        append("a1", "a2", "b1");
        start(ReplayQuery.EVERYTHING);

        expect(replay().drain(Map.of("a1", deadPassing())), "a2", "b1");
        assertThat(status(State.THROUGH).counts()).isEqualTo(new ReplayStatus.Counts(2, ReplaySize.NONE, 0, 1));
    }

    @Test
    void what_was_released_comes_again_and_is_counted_once() {
        append("a1", "b1", "c1");
        start(ReplayQuery.EVERYTHING);
        Courier courier = replay();
        Batch batch = courier.claim();
        courier.settle(batch, Settlement.PUBLISHED, Settlement.RELEASED, Settlement.RELEASED);

        expect(courier.drain(), "b1", "c1");
        assertThat(status(State.THROUGH).counts().sent()).isEqualTo(3);
    }

    // ---- life cycle

    @Test
    void it_goes_on_where_it_was_saved() {
        append("a1", "a2", "a3");
        start(ReplayQuery.EVERYTHING);
        try (Courier first = replay()) {
            first.limits(1, 1_000_000).publish(first.claim());
        }
        assertThat(status(State.OPEN).counts().sent()).isEqualTo(1);

        expect(replay().drain(), "a2", "a3");
        assertThat(status(State.THROUGH).counts().sent()).isEqualTo(3);
    }

    @Test
    void one_at_a_time_runs_it_and_another_takes_over() {
        append("a1", "a2");
        start(ReplayQuery.EVERYTHING);
        Courier late = replay();
        assertThat(replay(TWO)).isEmpty();
        Batch out = late.claim();
        harness().expireLease(REPLAY);
        Courier next = replay(TWO).orElseThrow();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> late.publish(out));
        expect(next.drain(), "a1", "a2");
        assertThat(status(State.THROUGH).counts().sent()).isEqualTo(2);
    }

    @Test
    void a_pause_holds_it() {
        append("a1");
        start(ReplayQuery.EVERYTHING);
        assertThat(admin().pause(REPLAY, ANNA)).isTrue();
        Courier courier = replay();
        assertThat(courier.drain()).isEmpty();
        assertThat(status(State.OPEN).paused()).isTrue();
        assertThat(admin().resume(REPLAY, ANNA)).isTrue();

        expect(courier.drain(), "a1");
    }

    @Test
    void a_pause_amid_its_events_holds_it() {
        append("a1", "a2", "a3", "a4");
        start(ReplayQuery.EVERYTHING);
        Courier courier = replay().limits(1, 100_000);
        Batch before = courier.claim();
        admin().pause(REPLAY, ANNA);
        List<String> came = new ArrayList<>(courier.names(before));
        courier.publish(before);
        assertThat(courier.drain()).isEmpty();
        admin().resume(REPLAY, ANNA);
        came.addAll(courier.drain());

        expect(came, "a1", "a2", "a3", "a4");
        assertThat(status(State.THROUGH).counts().sent()).isEqualTo(4);
    }

    @Test
    void retention_keeps_what_it_has_yet_to_send_and_no_longer() {
        append("a1", "b1", "a2");
        drain();
        start(ReplayQuery.EVERYTHING.aggregateId(aggregateId("a")));
        pass(Duration.ofSeconds(1));
        admin().purge(Duration.ZERO, 100);

        expect(replay().drain(), "a1", "a2");
        admin().purge(Duration.ZERO, 100);
        assertThat(admin().show(id("a1"))).isEmpty();
        assertThat(admin().show(id("a2"))).isEmpty();
    }

    @Test
    void what_is_dead_in_it_does_not_keep_retention_from_what_is_behind() {
        append("a1", "b1", "c1", "d1", "e1");
        drain();
        start(ReplayQuery.EVERYTHING);
        expect(replay().drain(Map.of("a1", deadPassing(), "b1", deadPassing(), "c1", deadPassing())), "d1", "e1");
        pass(Duration.ofSeconds(1));
        int deleted = 0;
        for (PurgeStep step = admin().purge(Duration.ZERO, 2); ; step = admin().purge(Duration.ZERO, 2)) {
            deleted += step.deleted();
            if (!step.more()) {
                break;
            }
        }
        assertThat(deleted).isEqualTo(2);

        assertThat(admin().requeue(REPLAY, ids("a1", "b1", "c1"), ANNA)).isEqualTo(3);
        expect(replay().drain(), "a1", "b1", "c1");
    }
}
