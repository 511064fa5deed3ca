package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.route.Route;
import dev.waybill.spi.Bursts;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which settlements end the backoff, and how dead events are logged. */
class SettledReportTest {
    private static final CycleResult AWAY = new CycleResult.Unavailable("away");
    private static final Settlement FAILED = new Settlement.RetryAt(Instant.EPOCH, "not now");
    private static final Settlement IN_DOUBT =
            new Settlement.RetryAt(Instant.EPOCH, "its partition is unavailable", false);
    private static final Settlement REFUSED = new Settlement.Dead("never", true, false);
    private static final Settlement UNROUTABLE = new Settlement.Dead("no topic", false, false);

    private final RelayStatistics statistics = new RelayStatistics();
    private final Pace pace = new Pace(RelayOptions.defaults().poll(), new FailureStreak(System::nanoTime));
    private final List<String> lines = new ArrayList<>();
    private final ManualNanos nanos = new ManualNanos();
    private final DeadReport dead = new DeadReport(CycleScene.RELAY, nanos, (id, line) -> lines.add(line));
    private final SettledReport report = new SettledReport(
            statistics,
            pace,
            dead,
            new GuardedListener(
                    Relay.named("relay").from(new InMemoryOutbox().store()).to(new InMemoryDestination())));
    private final StoredEvent event = anyEvent();

    @Test
    void an_event_that_the_destination_accepted_or_refused_ends_the_backoff() {
        for (Settlement progress : List.of(Settlement.PUBLISHED, FAILED, REFUSED)) {
            backOff();
            settle(Settlement.BEHIND, progress, Settlement.RELEASED);
            assertThat(nextWait()).as("after %s", progress).hasMillis(100);
            assertThat(statistics.state().phase()).isEqualTo(Phase.RUNNING);
            pace.progressed();
        }
    }

    @Test
    void an_event_that_was_not_sent_or_is_sent_again_does_not_end_the_backoff() {
        backOff();
        settle(Settlement.RELEASED, Settlement.RELEASED);
        assertThat(nextWait()).hasMillis(400);
        settle(IN_DOUBT, Settlement.BEHIND, UNROUTABLE);
        assertThat(nextWait()).hasMillis(800);
        assertThat(statistics.state().phase()).isEqualTo(Phase.BACKING_OFF);
    }

    @Test
    void in_a_burst_of_dead_events_the_first_is_logged_at_once_and_the_rest_are_counted() {
        for (int i = 0; i < 1_000; i++) {
            settle(UNROUTABLE, Settlement.PUBLISHED, REFUSED);
        }
        dead.tell();
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).contains("event " + event.id(), "dead after 0 attempts", "no topic");

        nanos.advance(Bursts.QUIET);
        dead.tell();
        dead.tell();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains("1999 more dead", "event " + event.id(), "dead after 1 attempts", "never");

        settle(REFUSED);
        assertThat(lines).hasSize(2);
        dead.tellRest();
        dead.tellRest();
        assertThat(lines).hasSize(3);
    }

    @Test
    void a_dead_event_after_a_quiet_time_is_logged_at_once_again() {
        settle(REFUSED);
        nanos.advance(Bursts.QUIET);
        settle(REFUSED);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).isEqualTo(lines.get(0));
    }

    private void backOff() {
        pace.after(AWAY);
        pace.after(AWAY);
        statistics.is(Phase.BACKING_OFF, "away");
    }

    private Duration nextWait() {
        return pace.after(AWAY);
    }

    private void settle(Settlement... settlements) {
        report.settled(Arrays.asList(settlements), Collections.nCopies(settlements.length, event));
    }

    private static StoredEvent anyEvent() {
        List<StoredEvent> routed = new ArrayList<>();
        CycleScene scene = new CycleScene(new InMemoryDestination()).route(event -> {
            routed.add(event);
            return Route.byType().addressOf(event);
        });
        scene.append("a1");
        scene.run();
        return routed.get(0);
    }
}
