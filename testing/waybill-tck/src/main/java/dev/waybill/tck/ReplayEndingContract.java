package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.ReplayStatus.State;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.StoreRefusedException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a replay ends, and what the audit records. The rest of the contract is in {@link ReplayContract}. */
abstract class ReplayEndingContract extends ReplayFixture {
    // ---- cancelling

    @Test
    void cancelled_while_it_runs_it_settles_what_is_out_and_counts_exactly() {
        append("a1", "b1", "c1", "d1", "e1");
        start(ReplayQuery.EVERYTHING);
        Courier courier = replay().limits(2, 1_000_000);
        courier.publish(courier.claim());
        Batch out = courier.claim();
        assertThat(harness().replays().cancel(REPLAY, ANNA).orElseThrow().state())
                .isEqualTo(State.CANCELLING);
        courier.publish(out);
        assertThat(courier.drain().size()).isLessThanOrEqualTo(1);

        ReplayStatus.Counts counts = status(State.CANCELLED).counts();
        assertThat(counts.sent()).isBetween(4L, 5L);
        assertThat(counts.sent() + counts.notSent().events()).isEqualTo(5);
        assertThat(counts.notSent().exact()).isTrue();
        assertThat(courier.drain()).isEmpty();
    }

    @Test
    void cancelled_while_nobody_runs_it_it_is_over_at_once() {
        append("a1", "a2", "b1");
        start(ReplayQuery.EVERYTHING);
        try (Courier courier = replay()) {
            courier.drain(Map.of("a1", retryIn(SHORT)));
        }
        ReplayStatus cancelled = harness().replays().cancel(REPLAY, ANNA).orElseThrow();

        assertThat(cancelled.state()).isEqualTo(State.CANCELLED);
        assertThat(cancelled.counts()).isEqualTo(new ReplayStatus.Counts(1, new ReplaySize(2, true), 0, 0));
        pass(SHORT);
        assertThat(replay().drain()).isEmpty();
        assertThat(harness().replays().cancel(REPLAY, ANNA).orElseThrow()).isEqualTo(status(State.CANCELLED));
    }

    @Test
    void cancelled_after_its_process_died_it_is_over_and_the_dead_one_can_say_nothing_more() {
        append("a1", "a2");
        start(ReplayQuery.EVERYTHING);
        Courier dead = replay();
        Batch out = dead.claim();
        harness().expireLease(REPLAY);

        assertThat(harness().replays().cancel(REPLAY, ANNA).orElseThrow().state())
                .isEqualTo(State.CANCELLED);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> dead.publish(out));
        assertThat(status(State.CANCELLED).counts().notSent()).isEqualTo(new ReplaySize(2, true));
    }

    @Test
    void a_dropped_replay_is_gone_and_its_session_finds_out() {
        append("a1", "a2");
        start(ReplayQuery.EVERYTHING);
        Courier courier = replay();
        Batch out = courier.claim();
        assertThat(admin().drop(REPLAY, ANNA)).isTrue();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> courier.publish(out));
        assertThat(harness().replays().replay(REPLAY)).isEmpty();
        assertThat(harness().replays().cancel(REPLAY, ANNA)).isEmpty();
        assertThatExceptionOfType(StoreRefusedException.class).isThrownBy(this::replay);
        start(ReplayQuery.EVERYTHING);
        expect(replay().drain(), "a1", "a2");
    }

    // ---- names and the audit

    @Test
    void a_name_is_that_of_a_relay_or_of_a_replay() {
        append("a1");
        relay().close();
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> harness().replays().start(RELAY, ReplayQuery.EVERYTHING, ANNA))
                .withMessageContaining(RELAY.value());
        start(ReplayQuery.EVERYTHING);

        assertThatExceptionOfType(StoreRefusedException.class).isThrownBy(() -> start(ReplayQuery.EVERYTHING));
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> harness().store().open(REPLAY, ONE, LEASE))
                .withMessageContaining(REPLAY.value());
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> harness().replays().store().open(RELAY, ONE, LEASE));
    }

    @Test
    void the_audit_says_who_started_it_with_which_query_and_how_it_ended() {
        append("a1", "a2");
        start(ReplayQuery.EVERYTHING.type("tck.happened.v1"));
        assertThat(audit()).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("replay-start");
            assertThat(entry.by()).isEqualTo(ANNA);
            assertThat(entry.details()).contains("tck.happened.v1");
        });
        replay().drain();

        assertThat(audit().map(AuditEntry::action)).containsExactly("replay-through", "replay-start");
        assertThat(audit().findFirst().orElseThrow().details()).isEqualTo("sent 2, not sent 0, dead 0");
    }

    @Test
    void the_audit_says_who_cancelled_it_and_what_was_not_sent() {
        append("a1", "a2");
        start(ReplayQuery.EVERYTHING);
        harness().replays().cancel(REPLAY, ANNA);

        assertThat(audit().map(AuditEntry::action))
                .containsExactly("replay-cancelled", "replay-cancel", "replay-start");
        assertThat(audit().findFirst().orElseThrow().details()).isEqualTo("sent 0, not sent 2, dead 0");
    }

    @Test
    void replays_are_listed_apart_from_relays_with_their_queries() {
        append("a1");
        relay().close();
        ReplayQuery query = ReplayQuery.EVERYTHING.aggregateId(aggregateId("a"));
        start(query);

        assertThat(harness().replays().replays()).singleElement().satisfies(replay -> {
            assertThat(replay.name()).isEqualTo(REPLAY.value());
            assertThat(replay.query()).isEqualTo(query);
            assertThat(replay.by()).isEqualTo(ANNA);
            assertThat(replay.lease()).isEmpty();
        });
        replay();
        assertThat(harness().replays().replays().get(0).lease()).isPresent();
        assertThat(admin().relays()).hasSize(1);
    }
}
