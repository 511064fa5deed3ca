package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.FaultyStore.Call;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.StoreException;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A relay whose store or destination fails backs off and continues. */
@Timeout(120)
class RelayFailuresTest {
    private final RelayScene scene = new RelayScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPEN", "CLAIM", "SETTLE"})
    void a_store_that_fails_is_tried_again_and_nothing_is_lost(Call call) {
        scene.store().before(call, () -> {
            throw new StoreException("the store said no");
        });
        Relay relay = scene.start();
        scene.append("a1", "a2");
        Await.until("it fails again", () -> scene.store().calls(call) >= 2);
        RelayScene.until(Phase.STANDING_BY, relay);
        assertThat(relay.statistics().state().problem()).contains("the store said no");

        scene.store().mend();
        scene.append("a3");
        scene.untilDelivered("a1", "a2", "a3");
        scene.untilSettled();
        assertThat(scene.firstDeliveries()).containsExactly("a1", "a2", "a3");
        RelayScene.until(Phase.RUNNING, relay);
    }

    @Test
    void a_defect_or_an_error_ends_a_session_and_not_the_relay() {
        for (Throwable defect : new Throwable[] {new IllegalStateException("a defect"), new StackOverflowError()}) {
            RelayScene other = new RelayScene();
            try (other) {
                other.store().before(Call.CLAIM, () -> throwAny(defect));
                Relay relay = other.start();
                RelayScene.until(Phase.STANDING_BY, relay);
                Await.until(
                        "the problem is told",
                        () -> relay.statistics()
                                .state()
                                .problem()
                                .equals(Optional.of(
                                        "a defect: " + defect.getClass().getName())));
                other.store().mend();
                other.append("a1");
                other.untilDelivered("a1");
            }
        }
    }

    @Test
    void messages_in_flight_are_aborted_before_the_lease_is_released() {
        AtomicInteger outAtClose = new AtomicInteger(-1);
        scene.broker().holdAcknowledgements();
        scene.start(options -> options.batch(new BatchSize(1, 1_000)));
        scene.append("a1", "a2", "a3");
        Await.until("all are out", () -> scene.broker().inFlight() == 3);
        scene.store()
                .before(
                        Call.CLOSE,
                        () -> outAtClose.compareAndSet(-1, scene.broker().inFlight()));
        scene.store().before(Call.SETTLE, () -> {
            throw new StoreException("the store said no");
        });
        scene.broker().release(1);
        Await.until("the session ends", () -> outAtClose.get() >= 0);

        assertThat(outAtClose).hasValue(0);
    }

    @Test
    void while_the_destination_is_unavailable_it_backs_off_and_counts_no_attempts() {
        Relay relay = scene.start();
        scene.append("a1");
        scene.untilDelivered("a1");
        scene.broker().goAway();
        scene.append("a2", "a3");
        RelayScene.until(Phase.BACKING_OFF, relay);
        assertThat(relay.statistics().state().problem()).contains("the broker in memory is away");
        Await.until("it tries again", () -> relay.statistics().released() >= 4);
        assertThat(scene.status().parked()).isZero();

        scene.broker().comeBack();
        scene.untilDelivered("a2", "a3");
        scene.untilSettled();
        assertThat(scene.delivered()).containsExactly("a1", "a2", "a3");
        RelayScene.until(Phase.RUNNING, relay);
        assertThat(relay.statistics().state().problem()).isEmpty();
        assertThat(relay.statistics().retried()).isZero();
    }

    @Test
    void it_is_not_reported_as_running_while_every_attempt_fails() {
        Relay relay = scene.start();
        scene.broker().goAway();
        scene.append("a1");
        RelayScene.until(Phase.BACKING_OFF, relay);
        long tries = relay.statistics().released();
        while (relay.statistics().released() < tries + 2) {
            assertThat(relay.statistics().state().phase()).isEqualTo(Phase.BACKING_OFF);
        }
    }

    /** Waits of 100, 200 and 400 ms lie between four tries. */
    @Test
    void neither_claims_nor_appends_shorten_the_waits_for_a_destination_that_is_unavailable() {
        scene.broker().goAway();
        scene.append("a1", "a2");
        long begin = System.nanoTime();
        Relay relay = scene.start();
        while (relay.statistics().released() < 4 * 2) {
            relay.wakeUp();
        }
        assertThat(System.nanoTime() - begin)
                .isGreaterThanOrEqualTo(Duration.ofMillis(700).toNanos());
    }

    @Test
    void an_event_that_fails_for_a_while_is_finally_delivered() {
        scene.broker().failKey("Thing:a", 2, new Delivery.Retry("not now"));
        scene.start();
        scene.append("a1", "b1", "a2");
        scene.untilDelivered("b1", "a1", "a2");
        scene.untilSettled();

        assertThat(scene.delivered().stream().filter(name -> name.startsWith("a")))
                .containsExactly("a1", "a2");
    }

    @Test
    void a_refused_event_is_dead_and_the_relay_continues() {
        scene.broker().failKey("Thing:a", 1, new Delivery.Refused("never"));
        Relay relay = scene.start();
        scene.append("a1", "a2");
        scene.untilDelivered("a2");
        Await.until("a1 is dead", () -> scene.status().dead() == 1);

        Await.until("counted", () -> relay.statistics().dead() == 1);
    }

    private static void throwAny(Throwable defect) {
        if (defect instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) defect;
    }
}
