package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.RelayOptions.InFlight;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Delivery;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A destination that does not answer, throws or hangs does not stop a relay permanently. */
@Timeout(120)
class RelayWatchdogTest {
    private static final Duration SOON = Duration.ofMillis(400);

    /** Longer than a cycle takes on a busy machine. */
    private static final Duration CALL_BACK = Duration.ofSeconds(2);

    private final RelayScene scene = new RelayScene();
    private final StubbornDestination stubborn = new StubbornDestination(scene.broker());
    private final CountDownLatch thawed = new CountDownLatch(1);

    @AfterEach
    void end() {
        thawed.countDown();
        stubborn.cure();
        scene.close();
    }

    @Test
    void messages_without_an_answer_are_aborted_and_sent_again_in_the_same_session() {
        CompletableFuture<List<Delivery>> out = new CompletableFuture<>();
        stubborn.publishing(() -> out).aborting(() -> {
            stubborn.cure();
            out.complete(List.of(new Delivery.Unavailable("aborted")));
        });
        Relay relay = start();
        scene.append("a1");
        scene.untilDelivered("a1");
        scene.untilSettled();

        assertThat(stubborn.aborts()).isPositive();
        assertThat(relay.statistics().sessions()).isEqualTo(1);
    }

    @Test
    void a_destination_that_does_not_even_abort_ends_the_session_and_nothing_of_it_is_settled() {
        Relay relay = start();
        scene.append("a1", "a2");
        Await.until("a second session", () -> relay.statistics().sessions() >= 2);
        assertThat(scene.status().backlog()).isEqualTo(2);
        assertThat(stubborn.aborts()).isPositive();
        Await.until(
                "the problem is told",
                () -> relay.statistics()
                        .state()
                        .problem()
                        .filter(problem -> problem.contains("2 messages"))
                        .isPresent());

        stubborn.cure();
        scene.untilDelivered("a1", "a2");
        scene.untilSettled();
        assertThat(scene.delivered()).containsExactly("a1", "a2");
        Await.until("counted once", () -> relay.statistics().published() == 2);
    }

    @Test
    void an_answer_that_comes_after_the_end_of_its_session_changes_nothing() {
        CompletableFuture<List<Delivery>> late = new CompletableFuture<>();
        stubborn.publishing(() -> stubborn.publishes() == 1 ? late : new CompletableFuture<>());
        Relay relay = start();
        scene.append("a1");
        Await.until("a second session", () -> relay.statistics().sessions() >= 2);
        stubborn.cure();
        late.complete(List.of(Delivery.DELIVERED));
        scene.untilDelivered("a1");
        scene.untilSettled();

        Await.until("counted once", () -> relay.statistics().published() == 1);
    }

    @Test
    void a_destination_that_throws_when_it_is_aborted_is_tried_again() {
        stubborn.publishing(() -> CompletableFuture.completedFuture(List.of(new Delivery.Unavailable("away"))))
                .aborting(() -> {
                    throw new NoClassDefFoundError("a defect");
                });

        Relay relay = start();
        scene.append("a1");
        RelayScene.until(Phase.BACKING_OFF, relay);
        Await.until("it is tried again", () -> stubborn.publishes() >= 2);
        stubborn.cure();
        scene.untilDelivered("a1");
        scene.untilSettled();
        assertThat(scene.delivered()).containsExactly("a1");
        assertThat(relay.isAlive()).isTrue();
    }

    @Test
    void a_relay_that_hangs_in_its_destination_gives_up_its_lease_and_another_takes_over() {
        stubborn.publishing(() -> {
            hang();
            return CompletableFuture.completedFuture(List.of(Delivery.DELIVERED));
        });
        Relay hanging = start();
        scene.append("a1");
        Await.until("the first hangs", () -> stubborn.publishes() == 1);
        Relay second = scene.start();
        scene.untilDelivered("a1");
        scene.untilSettled();
        assertThat(stubborn.aborts()).isPositive();

        thawed.countDown();
        RelayScene.until(Phase.STANDING_BY, hanging);
        assertThat(hanging.statistics().published()).isZero();
        Await.until("the second settled it", () -> second.statistics().published() == 1);
    }

    @Test
    void a_closed_relay_waits_a_bounded_time_for_aborted_messages() {
        Relay relay = scene.start(
                RelayScene.plan(scene.store(), stubborn).options(options().grace(Duration.ZERO)));
        scene.append("a1");
        Await.until("a1 is out", () -> stubborn.publishes() == 1);
        relay.close();

        assertThat(relay.isAlive()).isFalse();
        assertThat(scene.status().lease()).isEmpty();
        assertThat(scene.status().backlog()).isEqualTo(1);
    }

    @Test
    void later_events_wait_until_aborted_ones_are_answered() {
        CompletableFuture<List<Delivery>> out = new CompletableFuture<>();
        CountDownLatch calledBack = new CountDownLatch(1);
        stubborn.publishing(() -> out).aborting(calledBack::countDown);
        Relay relay = scene.start(RelayScene.plan(scene.store(), stubborn)
                .options(options().inFlight(new InFlight(5, 1_000_000, CALL_BACK))));
        scene.append("a1");
        await(calledBack);
        stubborn.cure();
        int claims = scene.store().calls(FaultyStore.Call.CLAIM);
        scene.append("a2");
        relay.wakeUp();
        Await.until("aborted again", () -> stubborn.aborts() >= 3);
        assertThat(stubborn.publishes()).as("publishes").isEqualTo(1);
        out.complete(List.of(new Delivery.Unavailable("aborted")));
        scene.untilSettled();

        assertThat(scene.delivered()).containsExactly("a1", "a2");
        assertThat(scene.store().calls(FaultyStore.Call.CLAIM)).isGreaterThan(claims);
    }

    @Test
    void a_loop_that_hung_in_its_store_publishes_nothing_afterwards() {
        CompletableFuture<List<Delivery>> out = new CompletableFuture<>();
        CountDownLatch calledBack = new CountDownLatch(1);
        stubborn.publishing(() -> out).aborting(() -> {
            stubborn.cure();
            out.complete(List.of(new Delivery.Unavailable("aborted")));
            calledBack.countDown();
        });
        Relay relay = scene.start(RelayScene.plan(scene.store(), stubborn)
                .options(options().lease(Duration.ofSeconds(20)).inFlight(new InFlight(5, 1_000_000, CALL_BACK))));
        scene.append("a1");
        Await.until("a1 is out", () -> stubborn.publishes() == 1);
        scene.store().before(FaultyStore.Call.CLAIM, () -> await(calledBack));
        scene.append("a2");
        scene.untilSettled();

        assertThat(scene.delivered()).containsExactly("a1", "a2");
        assertThat(relay.statistics().sessions()).isEqualTo(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Relay start() {
        return scene.start(RelayScene.plan(scene.store(), stubborn).options(options()));
    }

    private static RelayOptions options() {
        return RelayOptions.defaults().lease(RelayScene.SHORT_LEASE).inFlight(new InFlight(5, 1_000_000, SOON));
    }

    private void hang() {
        try {
            thawed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
