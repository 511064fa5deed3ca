package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.relay.Outgoing.Unanswered;
import dev.waybill.tck.memory.InMemoryOutbox;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is out may be so for two minutes, and called back for ten seconds. */
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
    void what_is_out_within_its_timeout_is_left_alone() {
        assertThat(look(outFor(Duration.ZERO))).isEqualTo(TIMEOUT);
        assertThat(look(outFor(TIMEOUT.minusSeconds(1)))).isEqualTo(Duration.ofSeconds(1));

        assertThat(destination.aborts()).isZero();
    }

    @Test
    void then_it_is_called_back_once() {
        assertThat(look(outFor(TIMEOUT))).isEqualTo(Duration.ofSeconds(10));
        assertThat(look(outFor(TIMEOUT.plusSeconds(9)))).isEqualTo(Duration.ofSeconds(1));

        assertThat(destination.aborts()).isOne();
    }

    @Test
    void what_is_called_back_in_vain_ends_the_session_with_the_numbers() {
        look(outFor(TIMEOUT));

        assertThatThrownBy(() -> look(outFor(TIMEOUT.plusSeconds(10))))
                .isInstanceOf(StalledException.class)
                .hasMessageContainingAll("37 messages", "130 s");
    }

    @Test
    void another_outage_is_called_back_again() {
        look(outFor(TIMEOUT));
        look(outFor(Duration.ofSeconds(1)));
        look(outFor(TIMEOUT));

        assertThat(destination.aborts()).isEqualTo(2);
    }

    @Test
    void a_loop_that_turns_is_not_stuck() {
        watchdog.turned(Duration.ofSeconds(5));
        pass(TIMEOUT.plusSeconds(5).minusNanos(1));
        assertThat(watchdog.isLoopStuck()).isFalse();
        watchdog.turned(Duration.ZERO);
        pass(TIMEOUT.minusNanos(1));
        assertThat(watchdog.isLoopStuck()).isFalse();
    }

    @Test
    void a_loop_that_does_not_come_back_is_stuck() {
        watchdog.turned(Duration.ofSeconds(5));
        pass(TIMEOUT.plusSeconds(5));

        assertThat(watchdog.isLoopStuck()).isTrue();
    }

    /** The clock of the cycle is the one that the test turns. */
    @Test
    void the_cycle_tells_how_long_the_oldest_publish_is_out() {
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
