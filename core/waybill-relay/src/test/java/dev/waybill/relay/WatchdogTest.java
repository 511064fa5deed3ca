package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.relay.Outgoing.Unanswered;
import dev.waybill.tck.memory.InMemoryOutbox;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The timeout in flight is two minutes; an abort may take ten seconds. */
class WatchdogTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Anywhere; also where the sum of it and the timeout overflows. */
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(60).toNanos();

    private final AnsweredByHand destination = new AnsweredByHand();
    private final Watchdog watchdog =
            new Watchdog(RelayScene.plan(new InMemoryOutbox().store(), destination), () -> nanos);

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
