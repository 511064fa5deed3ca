package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.Event;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.StoreException;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RetentionTest {
    private static final Duration RETENTION = Duration.ofDays(30);

    private final InMemoryDestination broker = new InMemoryDestination();
    private final CycleScene scene = new CycleScene(broker);
    private final RelayPlan plan = Relay.named("relay")
            .from(scene.outbox().store())
            .to(broker)
            .options(RelayOptions.defaults().retention(RETENTION));
    private final Retention purge = new Retention(plan, RETENTION);

    @Test
    void published_events_are_deleted_when_they_are_older_than_the_retention() {
        scene.append("a1");
        scene.run();
        scene.pass(RETENTION.minusSeconds(1));
        scene.append("a2");
        scene.run();
        purge.runOnce();
        assertThat(scene.outbox().committed()).hasSize(2);

        scene.pass(Duration.ofSeconds(1));
        assertThat(purge.runOnce()).isEqualTo(Duration.ofMinutes(1));
        assertThat(scene.outbox().committed()).extracting(Event::id).containsExactly("a2");
    }

    @Test
    void events_that_were_not_published_stay() {
        scene.append("a1");
        scene.run();
        scene.append("a2");
        scene.pass(RETENTION.multipliedBy(2));
        purge.runOnce();

        assertThat(scene.outbox().committed()).extracting(Event::id).containsExactly("a2");
    }

    @Test
    void many_are_deleted_in_small_steps_that_follow_each_other_soon() {
        scene.options(options -> options.batch(new BatchSize(5_000, 10_000_000)));
        List<Event> many = new ArrayList<>();
        for (int i = 1; i <= 4_500; i++) {
            many.add(CycleScene.event("a" + i, "{}"));
        }
        scene.append(many);
        scene.run();
        scene.pass(RETENTION);

        assertThat(purge.runOnce()).isEqualTo(Duration.ofMillis(50));
        assertThat(scene.outbox().committed()).hasSize(2_500);
        assertThat(purge.runOnce()).isEqualTo(Duration.ofMillis(50));
        assertThat(purge.runOnce()).isEqualTo(Duration.ofMinutes(1));
        assertThat(scene.outbox().committed()).isEmpty();
    }

    @Test
    void a_store_that_fails_is_tried_again_later() {
        InMemoryOutbox broken = new InMemoryOutbox(() -> {
            throw new StoreException("the store said no");
        });

        RelayPlan onBroken = Relay.named("relay").from(broken.store()).to(broker);
        assertThat(new Retention(onBroken, RETENTION).runOnce()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void retention_runs_until_the_relay_is_closed() {
        scene.append("a1");
        scene.run();
        scene.pass(RETENTION);
        try (Relay relay = plan.start()) {
            Await.until("a1 is deleted", () -> scene.outbox().committed().isEmpty());
            assertThat(relay.isAlive()).isTrue();
        }
        Await.until("its thread ends", () -> retentionThreads() == 0);
    }

    @Test
    void relays_of_one_store_share_a_thread_until_the_last_is_closed() {
        EventStore store = scene.outbox().store();
        RelayPlan other =
                Relay.named("other").from(store).to(new InMemoryDestination()).options(plan.options());
        Relay first = plan.start();
        Relay second = other.start();
        assertThat(retentionThreads()).isEqualTo(1);

        first.close();
        assertThat(retentionThreads()).isEqualTo(1);
        second.close();
        Await.until("its thread ends", () -> retentionThreads() == 0);
    }

    /** The shorter time would delete what the other relay is to keep. */
    @Test
    void relays_of_one_store_with_different_retentions_are_refused() {
        RelayPlan other = Relay.named("other")
                .from(scene.outbox().store())
                .to(new InMemoryDestination())
                .options(RelayOptions.defaults().retention(RETENTION.multipliedBy(2)));
        try (Relay first = plan.start()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(other::start)
                    .withMessage("Relay other keeps published events for PT1440H, and relay relay of the same store for"
                            + " PT720H: use the same retention.");
            assertThat(first.isAlive()).isTrue();
        }
        try (Relay alone = other.start()) {
            assertThat(alone.isAlive()).isTrue();
        }
    }

    @Test
    void an_error_is_survived() {
        InMemoryOutbox broken = new InMemoryOutbox(() -> {
            throw new OutOfMemoryError("planted");
        });

        RelayPlan onBroken = Relay.named("relay").from(broken.store()).to(broker);
        assertThat(new Retention(onBroken, RETENTION).runOnce()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void without_a_retention_nothing_is_deleted_and_nothing_runs() {
        try (Relay relay = plan.options(RelayOptions.defaults()).start()) {
            assertThat(relay.isAlive()).isTrue();
            assertThat(retentionThreads()).isZero();
        }
    }

    private static long retentionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("waybill-retention-"))
                .count();
    }
}
