package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.format.Format;
import dev.waybill.relay.Outgoing.Unanswered;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.relay.RelayStatistics.State;
import dev.waybill.relay.UserCalls.Kind;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The timeout in flight is two minutes; an abort may take ten seconds. */
class WatchdogTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Anywhere; also where the sum of it and the timeout overflows. */
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(60).toNanos();

    private final AnsweredByHand destination = new AnsweredByHand();
    private final RelayStatistics statistics = new RelayStatistics();
    private final FailureStreak failures = new FailureStreak(() -> nanos);
    private final RelayPlan plan = RelayScene.plan(new InMemoryOutbox().store(), destination);
    private final UserCalls calls = new UserCalls(plan, statistics, failures, () -> nanos);
    private final Watchdog watchdog = new Watchdog(plan, calls, () -> nanos);

    private Duration look(Unanswered out) {
        return watchdog.look(out, why -> destination.abort());
    }

    @Test
    void a_publish_within_its_timeout_is_not_aborted() {
        assertThat(look(outFor(Duration.ZERO))).isEqualTo(TIMEOUT);
        assertThat(look(outFor(TIMEOUT.minusSeconds(1)))).isEqualTo(Duration.ofSeconds(1));

        assertThat(destination.aborts()).isZero();
    }

    @Test
    void a_publish_without_an_answer_is_aborted_once() {
        assertThat(look(outFor(TIMEOUT))).isEqualTo(Duration.ofSeconds(10));
        assertThat(look(outFor(TIMEOUT.plusSeconds(9)))).isEqualTo(Duration.ofSeconds(1));

        assertThat(destination.aborts()).isOne();
    }

    @Test
    void a_publish_without_an_answer_after_the_abort_ends_the_session() {
        look(outFor(TIMEOUT));

        assertThatThrownBy(() -> look(outFor(TIMEOUT.plusSeconds(10))))
                .isInstanceOf(StalledException.class)
                .hasMessageContainingAll("37 messages", "130 s");
    }

    @Test
    void a_second_outage_is_aborted_too() {
        look(outFor(TIMEOUT));
        look(outFor(Duration.ofSeconds(1)));
        look(outFor(TIMEOUT));

        assertThat(destination.aborts()).isEqualTo(2);
    }

    @Test
    void a_running_loop_is_not_stuck() {
        watchdog.cycled(Duration.ofSeconds(5));
        pass(TIMEOUT.plusSeconds(5).minusNanos(1));
        assertThat(watchdog.isLoopStuck()).isFalse();
        watchdog.cycled(Duration.ZERO);
        pass(TIMEOUT.minusNanos(1));
        assertThat(watchdog.isLoopStuck()).isFalse();
    }

    @Test
    void a_hanging_loop_is_stuck() {
        watchdog.cycled(Duration.ofSeconds(5));
        pass(TIMEOUT.plusSeconds(5));

        assertThat(watchdog.isLoopStuck()).isTrue();
    }

    @Test
    void a_loop_that_hangs_in_a_format_says_which_and_with_which_event() {
        Format format = Format.raw();
        calls.in(Kind.FORMAT, format, event("a1"), () -> {
            watchdog.cycled(Duration.ZERO);
            pass(TIMEOUT);
            assertThat(watchdog.isLoopStuck()).isTrue();
            return format;
        });
        assertThat(watchdog.notRenewed(7))
                .hasMessageContaining("epoch 7 was not renewed in time (the loop was stuck in the format "
                        + format.getClass().getName() + " with event a1)");
    }

    @Test
    void a_loop_that_hangs_in_a_listener_keeps_its_lease_until_the_relay_is_stopped() {
        calls.listener(new RelayListener() {}, () -> {
            watchdog.cycled(Duration.ZERO);
            pass(TIMEOUT.multipliedBy(100));
            assertThat(watchdog.isLoopStuck()).isFalse();
            calls.stop();
            assertThat(watchdog.isLoopStuck()).isTrue();
        });
        assertThat(watchdog.notRenewed(7))
                .hasMessageContaining(
                        "the loop was stuck in the listener " + getClass().getName());
    }

    @Test
    void a_call_that_does_not_return_for_seconds_is_shown_until_it_returns() {
        Format format = Format.raw();
        String problem = "the format " + format.getClass().getName() + " with event a1 has not returned for 5 s";
        statistics.is(Phase.RUNNING);
        calls.in(Kind.FORMAT, format, event("a1"), () -> {
            calls.look();
            pass(Duration.ofSeconds(4));
            calls.look();
            assertThat(statistics.state().problem()).isEmpty();
            pass(Duration.ofSeconds(1));
            calls.look();
            assertThat(statistics.state()).isEqualTo(new State(Phase.RUNNING, Optional.of(problem)));
            pass(Duration.ofSeconds(60));
            calls.look();
            assertThat(failures.lasts()).contains(Duration.ofSeconds(60));
            return format;
        });
        calls.look();
        assertThat(statistics.state()).isEqualTo(new State(Phase.RUNNING, Optional.empty()));
    }

    @Test
    void many_short_calls_are_not_one_long_call() {
        statistics.is(Phase.RUNNING);
        for (int i = 0; i < 100; i++) {
            Format format = Format.raw();
            calls.in(Kind.FORMAT, format, event("a1"), () -> {
                pass(Duration.ofSeconds(1));
                calls.look();
                return format;
            });
        }
        assertThat(statistics.state().problem()).isEmpty();
    }

    private static StoredEvent event(String name) {
        InMemoryOutbox outbox = new InMemoryOutbox();
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(transaction, List.of(CycleScene.event(name, "{}")));
            transaction.commit();
        }
        return outbox.store()
                .open(CycleScene.RELAY, new OwnerId("one"), TIMEOUT)
                .orElseThrow()
                .claim(new Limits(1, 1_000))
                .orElseThrow()
                .events()
                .get(0);
    }

    /** A listener of the relay may have blocked the loop while the answers came. */
    @Test
    void a_publish_that_is_answered_is_not_overdue_although_the_loop_has_not_processed_the_answer() {
        CycleScene scene = new CycleScene(destination);
        scene.append("a1");
        scene.run();
        scene.pass(TIMEOUT);
        destination.sent(0).deliver();
        assertThat(scene.cycle().unanswered()).isEqualTo(new Unanswered(1, Duration.ZERO));
    }

    /** The clock of the cycle is the one that the test turns. */
    @Test
    void the_cycle_reports_how_long_the_oldest_publish_is_in_flight() {
        CycleScene scene = new CycleScene(destination).batchesOf(2);
        scene.append("a1", "b1", "c1");
        scene.run();
        scene.pass(Duration.ofSeconds(30));
        scene.append("d1");
        scene.run();
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.cycle().unanswered()).isEqualTo(new Unanswered(4, Duration.ofSeconds(31)));

        destination.sent(0).deliver();
        destination.sent(1).deliver();
        scene.run();
        assertThat(scene.cycle().unanswered()).isEqualTo(new Unanswered(1, Duration.ofSeconds(1)));
        destination.sent(2).deliver();
        scene.run();
        assertThat(scene.cycle().unanswered()).isEqualTo(new Unanswered(0, Duration.ZERO));
    }

    private static Unanswered outFor(Duration time) {
        return new Unanswered(37, time);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }
}
