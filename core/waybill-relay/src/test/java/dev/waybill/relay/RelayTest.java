package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.WakeSignal;
import dev.waybill.relay.FaultyStore.Call;
import dev.waybill.relay.RelayOptions.InFlight;
import dev.waybill.relay.RelayOptions.Poll;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay from its start to its end. */
@Timeout(120)
class RelayTest {
    private final RelayScene scene = new RelayScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void it_publishes_existing_and_new_events() {
        scene.append("a1", "b1");
        Relay relay = scene.start();
        scene.untilDelivered("a1", "b1");
        scene.append("a2");
        scene.untilDelivered("a2");
        scene.untilSettled();

        assertThat(scene.delivered()).containsExactly("a1", "b1", "a2");
        Await.until("counted", () -> relay.statistics().published() == 3);
        assertThat(relay.statistics().sessions()).isEqualTo(1);
        assertThat(relay.statistics().state().phase()).isEqualTo(Phase.RUNNING);
        assertThat(scene.status().lease()).isPresent();
    }

    /** The waits double from a millisecond, so without a wake-up it would take years to poll forty times. */
    @Test
    void a_wake_up_makes_it_poll_at_once_and_often() {
        Duration hour = Duration.ofHours(1);
        Relay relay = scene.start(options -> options.poll(new Poll(hour, hour)));
        Await.until("it looks rarely", () -> scene.store().calls(Call.CLAIM) >= 8);
        int before = scene.store().calls(Call.CLAIM);
        relay.wakeUp();
        Await.until("it looks often", () -> scene.store().calls(Call.CLAIM) >= before + 40);
        scene.append("a1");
        relay.wakeUp();
        scene.untilDelivered("a1");
    }

    /** See above: without the signal none would look so often. */
    @Test
    void one_signal_wakes_several_relays_until_they_are_closed() {
        Duration hour = Duration.ofHours(1);
        WakeSignal appended = WakeSignal.create();
        RelayOptions rarely = RelayOptions.defaults().poll(new Poll(hour, hour));
        try (RelayScene other = new RelayScene()) {
            List<RelayScene> scenes = List.of(scene, other);
            for (RelayScene each : scenes) {
                each.start(RelayScene.plan(each.store(), each.broker())
                        .options(rarely)
                        .wake(appended));
                Await.until("it looks rarely", () -> each.store().calls(Call.CLAIM) >= 8);
            }
            assertThat(appended).hasToString("WakeSignal[2 listeners]");
            List<Integer> before =
                    scenes.stream().map(each -> each.store().calls(Call.CLAIM)).toList();
            appended.raise();
            for (int i = 0; i < scenes.size(); i++) {
                RelayScene each = scenes.get(i);
                int enough = before.get(i) + 40;
                Await.until("it looks often", () -> each.store().calls(Call.CLAIM) >= enough);
            }
        }
        assertThat(appended).hasToString("WakeSignal[1 listeners]");
    }

    @Test
    void its_text_shows_its_state() {
        Relay relay = scene.start();
        scene.append("a1");
        Await.until("counted", () -> relay.statistics().published() == 1);

        assertThat(relay).hasToString("Relay[relay RUNNING, 1 published, 0 retried, 0 dead]");
    }

    @Test
    void an_answer_is_processed_at_once() {
        Duration hour = Duration.ofHours(1);
        scene.broker().holdAcknowledgements();
        scene.start(options -> options.poll(new Poll(hour, hour)).inFlight(new InFlight(1, 1_000_000)));
        scene.append("a1");
        Await.until("a1 is out", () -> scene.broker().inFlight() == 1);
        Await.until(
                "the relay waits for the answer",
                () -> relayThreads().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
        scene.broker().release(1);

        scene.untilSettled();
    }

    @Test
    void closing_waits_for_messages_in_flight_settles_them_and_releases_the_lease() throws Exception {
        scene.broker().holdAcknowledgements();
        Relay relay = scene.start();
        scene.append("a1");
        Await.until("a1 is out", () -> scene.broker().inFlight() == 1);
        CompletableFuture<Void> closed = RelayScene.beginToClose(relay);
        assertThat(closed).isNotDone();
        assertThat(scene.status().lease()).isPresent();

        scene.broker().releaseAll();
        closed.get(30, TimeUnit.SECONDS);
        assertThat(scene.status().lease()).isEmpty();
        assertThat(scene.status().backlog()).isZero();
        assertThat(scene.delivered()).containsExactly("a1");
        assertThat(relay.statistics().state().phase()).isEqualTo(Phase.STOPPED);
    }

    @Test
    void after_the_grace_time_messages_in_flight_are_aborted_and_sent_again() {
        scene.broker().holdAcknowledgements();
        Relay relay = scene.start(options -> options.grace(Duration.ZERO));
        scene.append("a1", "a2");
        Await.until("they are out", () -> scene.broker().inFlight() == 1);
        relay.close();
        assertThat(scene.status().lease()).isEmpty();
        assertThat(scene.status().backlog()).isEqualTo(2);
        assertThat(scene.status().parked()).isZero();

        scene.broker().releaseAll();
        scene.start();
        scene.untilSettled();
        assertThat(scene.delivered()).containsExactly("a1", "a2", "a1", "a2");
    }

    @Test
    void closing_is_idempotent() {
        Relay relay = scene.start();
        RelayScene.until(Phase.RUNNING, relay);
        relay.close();
        relay.close();

        assertThat(scene.store().calls(Call.CLOSE)).isEqualTo(1);
    }

    @Test
    void a_closed_relay_leaves_no_thread() {
        Relay relay = scene.start(options -> options.lease(Duration.ofHours(1)));
        RelayScene.until(Phase.RUNNING, relay);
        Await.until("its threads run", () -> threads() == 3);
        relay.close();

        Await.until("its threads end", () -> threads() == 0);
    }

    @Test
    void a_new_relay_continues_where_the_last_one_ended() {
        for (int i = 1; i <= 5; i++) {
            scene.append("a" + i);
            Relay relay = scene.start();
            scene.untilDelivered("a" + i);
            relay.close();
        }
        assertThat(scene.delivered()).containsExactly("a1", "a2", "a3", "a4", "a5");
    }

    @Test
    void a_paused_relay_publishes_nothing_until_it_is_resumed() {
        scene.start();
        scene.append("a1");
        scene.untilDelivered("a1");
        scene.outbox().admin().pause(CycleScene.RELAY, CycleScene.ANNA);
        scene.append("a2");
        int looks = scene.store().calls(Call.CLAIM);
        Await.until("it has looked", () -> scene.store().calls(Call.CLAIM) >= looks + 3);
        assertThat(scene.delivered()).containsExactly("a1");

        scene.outbox().admin().resume(CycleScene.RELAY, CycleScene.ANNA);
        scene.untilDelivered("a2");
    }

    @Test
    void an_interrupted_relay_stops_and_leaves_everything_in_order() {
        scene.broker().holdAcknowledgements();
        Relay relay = scene.start();
        scene.append("a1");
        Await.until("a1 is out", () -> scene.broker().inFlight() == 1);
        relayThreads().forEach(Thread::interrupt);
        RelayScene.until(Phase.STOPPED, relay);

        assertThat(scene.status().lease()).isEmpty();
        assertThat(scene.broker().inFlight()).isZero();
        assertThat(scene.status().backlog()).isEqualTo(1);
    }

    private static Stream<Thread> relayThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("waybill-relay-relay"));
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("waybill-"))
                .count();
    }
}
