package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.spi.Limits;
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
class PurgeNowAndThenTest {
    private static final Duration RETENTION = Duration.ofDays(30);

    private final InMemoryDestination broker = new InMemoryDestination();
    private final CycleScene scene = new CycleScene(broker);
    private final RelayPlan plan = RelayPlan.named("relay")
            .from(scene.outbox().store())
            .to(broker)
            .options(RelayOptions.defaults().retention(RETENTION));
    private final PurgeNowAndThen purge =
            new PurgeNowAndThen(plan, scene.outbox().admin(), RETENTION);

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
        scene.options(options -> options.batch(new Limits(5_000, 10_000_000)));
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

        assertThat(new PurgeNowAndThen(plan, broken.admin(), RETENTION).runOnce())
                .isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void it_runs_beside_the_relay_until_it_is_closed() throws Exception {
        scene.append("a1");
        scene.run();
        scene.pass(RETENTION);
        try (AutoCloseable retention = Relay.startRetention(plan, scene.outbox().admin())) {
            assertThat(retention).isNotNull();
            Await.until("a1 is deleted", () -> scene.outbox().committed().isEmpty());
        }
        Await.until("its thread ends", () -> retentionThreads() == 0);
    }

    @Test
    void without_a_retention_nothing_is_deleted_and_nothing_runs() throws Exception {
        RelayPlan forEver = plan.options(RelayOptions.defaults());
        try (AutoCloseable retention =
                Relay.startRetention(forEver, scene.outbox().admin())) {
            assertThat(retention).isNotNull();
            assertThat(retentionThreads()).isZero();
        }
    }

    private static long retentionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("waybill-retention-"))
                .count();
    }
}
