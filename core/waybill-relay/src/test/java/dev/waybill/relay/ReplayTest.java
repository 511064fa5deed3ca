package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.ReplayStatus.State;
import dev.waybill.relay.RelayOptions.Poll;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replay from its start to its end, on threads. */
@Timeout(120)
class ReplayTest {
    private static final RelayName AGAIN = new RelayName("again");
    private static final Duration LONG = Duration.ofSeconds(60);

    private final RelayScene scene = new RelayScene();
    private final InMemoryDestination other = new InMemoryDestination();
    private final ReplayAdmin replays = scene.outbox().replays();
    private final List<Replay> running = new ArrayList<>();

    @AfterEach
    void end() {
        running.forEach(Replay::close);
        scene.close();
    }

    private Replay run(RelayOptions options) {
        Replay replay =
                Replay.run(AGAIN, replays, RelayScene.plan(scene.store(), other).options(options));
        running.add(replay);
        return replay;
    }

    private void publishOnce(int events) {
        scene.append(IntStream.rangeClosed(1, events).mapToObj(i -> "a" + i).toArray(String[]::new));
        scene.start();
        scene.untilDelivered("a" + events);
        scene.untilSettled();
    }

    @Test
    void a_replay_sends_published_events_again_and_ends() throws Exception {
        publishOnce(3);
        replays.start(AGAIN, ReplayQuery.EVERYTHING, CycleScene.ANNA);
        Replay replay = run(RelayOptions.defaults());
        assertThat(replay.awaitEnd(LONG)).isTrue();

        assertThat(CycleScene.names(other.delivered())).containsExactly("a1", "a2", "a3");
        assertThat(replay.status().orElseThrow().state()).isEqualTo(State.THROUGH);
        assertThat(scene.delivered()).containsExactly("a1", "a2", "a3");
    }

    @Test
    void a_cancelled_replay_is_counted_exactly_and_the_relay_is_not_affected() throws Exception {
        publishOnce(10_000);
        replays.start(AGAIN, ReplayQuery.EVERYTHING, CycleScene.ANNA);
        Replay replay = run(RelayOptions.defaults().rate(2_000));
        Await.until("some were sent", () -> other.delivered().size() >= 1_000);
        replays.cancel(AGAIN, CycleScene.ANNA);
        assertThat(replay.awaitEnd(LONG)).isTrue();
        replay.close();

        ReplayStatus cancelled = replays.replay(AGAIN).orElseThrow();
        int sent = other.delivered().size();
        assertThat(cancelled.state()).isEqualTo(State.CANCELLED);
        assertThat(sent).isBetween(1_000, 9_999);
        assertThat(cancelled.counts())
                .isEqualTo(new ReplayStatus.Counts(sent, new ReplaySize(10_000 - sent, true), 0, 0));
        assertThat(replay.statistics().published()).isEqualTo(sent);
        AuditEntry last = scene.outbox().admin().audit(1).get(0);
        assertThat(last.action()).isEqualTo("replay-cancelled");
        assertThat(last.details()).isEqualTo("sent " + sent + ", not sent " + (10_000 - sent) + ", dead 0");
        assertThat(scene.delivered()).hasSize(10_000);
        assertThat(scene.status().backlog()).isZero();
    }

    @Test
    void after_a_close_it_resumes_where_it_was() throws Exception {
        publishOnce(1_000);
        replays.start(AGAIN, ReplayQuery.EVERYTHING, CycleScene.ANNA);
        Replay first = run(RelayOptions.defaults().rate(500));
        Await.until("some were sent", () -> other.delivered().size() >= 100);
        first.close();
        assertThat(replays.replay(AGAIN).orElseThrow().state()).isEqualTo(State.OPEN);
        assertThat(run(RelayOptions.defaults()).awaitEnd(LONG)).isTrue();

        assertThat(CycleScene.names(other.delivered())).doesNotHaveDuplicates().hasSize(1_000);
    }

    @Test
    void a_dropped_replay_ends_and_sends_nothing_more() throws Exception {
        publishOnce(1_000);
        replays.start(AGAIN, ReplayQuery.EVERYTHING, CycleScene.ANNA);
        Replay replay = run(RelayOptions.defaults().rate(100));
        Await.until("some were sent", () -> !other.delivered().isEmpty());
        scene.outbox().admin().drop(AGAIN, CycleScene.ANNA);

        assertThat(replay.awaitEnd(LONG)).isTrue();
        replay.close();
        assertThat(replay.status()).isEmpty();
        assertThat(other.delivered()).hasSizeLessThan(1_000);
        assertThat(scene.outbox().admin().relays()).hasSize(1);
    }

    @Test
    void waiting_for_its_end_times_out() throws Exception {
        publishOnce(1);
        replays.start(AGAIN, ReplayQuery.EVERYTHING, CycleScene.ANNA);
        scene.outbox().admin().pause(AGAIN, CycleScene.ANNA);

        assertThat(run(RelayOptions.defaults()).awaitEnd(Duration.ofMillis(1))).isFalse();
    }

    @Test
    void the_initial_delay_is_respected() {
        Poll later = new Poll(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofHours(1));
        scene.append("a1");
        Relay relay = scene.start(options -> options.poll(later));
        relay.wakeUp();
        relay.close();

        assertThat(scene.delivered()).isEmpty();
        assertThat(scene.store().calls(FaultyStore.Call.OPEN)).isZero();
    }
}
