package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A destination belongs to one relay, because a relay aborts the messages in flight when it ends. */
@Timeout(120)
class DestinationOwnerTest {
    private final RelayScene scene = new RelayScene();
    private final ReplayAdmin replays = scene.outbox().replays();
    private final List<Replay> running = new ArrayList<>();

    @AfterEach
    void end() {
        running.forEach(Replay::close);
        scene.close();
    }

    @Test
    void a_second_relay_on_a_destination_is_refused_and_told_who_has_it() {
        Relay first = scene.start();
        RelayPlan second = Relay.named("second").from(scene.store()).to(scene.broker());
        assertThatThrownBy(second::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("relay second", "relay relay", "destination of its own");

        first.close();
        scene.start(second).close();
    }

    @Test
    void a_relay_that_could_not_start_owns_nothing() {
        RelayPlan withoutOptions =
                RelayScene.plan(scene.store(), scene.broker()).options(nothing());
        assertThatThrownBy(withoutOptions::start).isInstanceOf(NullPointerException.class);

        scene.start().close();
    }

    @SuppressWarnings("NullAway") // callers without null checks may pass null
    private static RelayOptions nothing() {
        return null;
    }

    @Test
    void a_replay_on_the_destination_of_a_running_relay_is_refused() {
        Relay live = scene.start();
        replays.start(name(0), ReplayQuery.EVERYTHING, CycleScene.ANNA);
        assertThatThrownBy(() -> Replay.run(name(0), replays, RelayScene.plan(scene.store(), scene.broker())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("relay again-0", "relay relay");

        assertThat(live.isAlive()).isTrue();
    }

    @Test
    void ended_replays_do_not_abort_messages_of_a_running_relay() throws Exception {
        scene.append("a1", "b1", "c1");
        Relay live = scene.start(options -> options.batch(new BatchSize(1, 1_000_000)));
        scene.untilDelivered("a1", "b1", "c1");
        scene.untilSettled();
        for (int i = 0; i < 12; i++) {
            replays.start(name(i), ReplayQuery.EVERYTHING, CycleScene.ANNA);
        }
        scene.broker().holdAcknowledgements();
        scene.append("a2", "b2", "c2");
        Await.until("they are out", () -> scene.broker().inFlight() == 3);
        for (int i = 0; i < 12; i++) {
            InMemoryDestination own = new InMemoryDestination();
            own.holdAcknowledgements();
            running.add(Replay.run(name(i), replays, RelayScene.plan(scene.store(), own)));
            Await.until("it sends", () -> own.inFlight() > 0);
            if (i % 2 == 0) {
                scene.outbox().admin().drop(name(i), CycleScene.ANNA);
            } else {
                replays.cancel(name(i), CycleScene.ANNA);
                own.releaseAll();
            }
            assertThat(running.get(i).awaitEnd(Duration.ofSeconds(30))).isTrue();
            own.releaseAll();
            running.get(i).close();
        }
        assertThat(scene.broker().inFlight()).isEqualTo(3);

        scene.broker().releaseAll();
        scene.untilSettled();
        assertThat(scene.delivered()).containsExactly("a1", "b1", "c1", "a2", "b2", "c2");
        assertThat(live.statistics().released()).isZero();
        assertThat(live.statistics().state().phase()).isEqualTo(Phase.RUNNING);
    }

    private static RelayName name(int number) {
        return new RelayName("again-" + number);
    }
}
