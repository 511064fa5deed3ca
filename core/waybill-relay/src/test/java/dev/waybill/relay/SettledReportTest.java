package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
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
import org.slf4j.event.Level;

/** Which settlements end the backoff, and how failures are logged. */
class SettledReportTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final CycleResult AWAY = new CycleResult.Unavailable("away");
    private static final Settlement FAILED = new Settlement.RetryAt(Instant.EPOCH, "not now");
    private static final Settlement IN_DOUBT =
            new Settlement.RetryAt(Instant.EPOCH, "its partition is unavailable", false);
    private static final Settlement REFUSED = new Settlement.Dead("never", true, false);
    private static final Settlement UNROUTABLE = new Settlement.Dead("no topic", false, false);

    private final RelayStatistics statistics = new RelayStatistics();
    private final Pace pace = new Pace(RelayOptions.defaults().poll(), new FailureStreak(System::nanoTime));
    private final List<FailureReport.Line> lines = new ArrayList<>();
    private final ManualNanos nanos = new ManualNanos();
    private final FailureReport failures = new FailureReport(CycleScene.RELAY, nanos, lines::add);
    private final SettledReport report = new SettledReport(
            statistics,
            pace,
            failures,
            new GuardedListener(
                    Relay.named("relay").from(new InMemoryOutbox().store()).to(new InMemoryDestination()),
                    RelayScene.calls(nanos)));
    private final StoredEvent event = event("order.placed.v1");

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
        settle(false, Settlement.RELEASED, Settlement.RELEASED);
        assertThat(nextWait()).hasMillis(400);
        settle(false, IN_DOUBT, Settlement.BEHIND, UNROUTABLE);
        assertThat(nextWait()).hasMillis(800);
        settle(false, FAILED);
        assertThat(nextWait()).as("an outage that counts").hasMillis(1_600);
        assertThat(statistics.state().phase()).isEqualTo(Phase.BACKING_OFF);
    }

    @Test
    void every_failed_attempt_and_every_dead_event_is_logged_with_its_id_and_trace() {
        settle(FAILED, Settlement.PUBLISHED, REFUSED, UNROUTABLE, IN_DOUBT, Settlement.BEHIND, Settlement.RELEASED);

        assertThat(lines).allSatisfy(line -> {
            assertThat(line.eventId()).isEqualTo(event.id().toString());
            assertThat(line.traceId()).contains(TRACE);
            assertThat(line.words()).startsWith("Relay relay: event " + event.id() + " (");
        });
        assertThat(lines).extracting(FailureReport.Line::level).containsExactly(Level.WARN, Level.ERROR, Level.ERROR);
        assertThat(lines.get(0).words())
                .contains("failed in attempt 1 (not now): trying again at 1970-01-01T00:00:00Z.");
        assertThat(lines.get(1).words()).contains("dead after 1 attempt (never): it is kept until an operator");
        assertThat(lines.get(2).words()).contains("dead after 0 attempts (no topic)");
    }

    @Test
    void control_characters_of_an_error_do_not_reach_the_log() {
        settle(new Settlement.RetryAt(Instant.EPOCH, "no\nERROR forged \u001b[31m"));

        assertThat(lines.get(0).words()).contains("(no ERROR forged \ufffd[31m)");
    }

    @Test
    void in_a_burst_of_failures_the_first_are_logged_at_once_and_the_rest_are_counted() {
        for (int i = 0; i < 1_000; i++) {
            settle(UNROUTABLE, Settlement.PUBLISHED, REFUSED);
        }
        failures.tell();
        assertThat(lines).hasSize(FailureReport.EACH);
        settle(FAILED);
        assertThat(lines).as("the first of another kind").hasSize(FailureReport.EACH + 1);
        lines.clear();

        nanos.advance(Bursts.QUIET);
        failures.tell();
        failures.tell();
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).words())
                .contains("1980 more dead events", "event " + event.id(), "dead after 1 attempt", "never");

        for (int i = 0; i < FailureReport.EACH; i++) {
            settle(REFUSED);
        }
        assertThat(lines).as("all but one since the summary").hasSize(FailureReport.EACH);
        failures.tellRest();
        failures.tellRest();
        assertThat(lines).hasSize(FailureReport.EACH + 1);
    }

    @Test
    void the_first_failure_of_another_type_is_logged_during_a_burst_however_many_types_there_are() {
        for (int i = 0; i < 100; i++) {
            settle(FAILED);
        }
        lines.clear();
        settle(event("other.type.v1"), FAILED);
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).words()).contains("(other.type.v1)");

        for (int i = 0; i < 1_000; i++) {
            settle(event("type " + i), FAILED);
        }
        assertThat(lines).hasSizeLessThan(100);
        failures.tellRest();
        assertThat(lines.get(lines.size() - 1).words()).contains("more failed attempts since the last line");
    }

    @Test
    void types_that_failed_long_ago_leave_room_for_others() {
        for (int i = 0; i < 200; i++) {
            settle(event("type " + i), REFUSED);
        }
        nanos.advance(Bursts.QUIET);
        failures.tell();
        nanos.advance(Bursts.QUIET);
        lines.clear();
        for (int i = 0; i < 100; i++) {
            settle(event("type of many"), REFUSED);
        }
        settle(event("payment.lost"), REFUSED);

        assertThat(lines).anyMatch(line -> line.words().contains("(payment.lost)"));
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
        settle(true, settlements);
    }

    private void settle(boolean progress, Settlement... settlements) {
        report.settled(Arrays.asList(settlements), Collections.nCopies(settlements.length, event), progress);
    }

    private void settle(StoredEvent one, Settlement... settlements) {
        report.settled(Arrays.asList(settlements), Collections.nCopies(settlements.length, one), true);
    }

    private static StoredEvent event(String type) {
        List<StoredEvent> routed = new ArrayList<>();
        CycleScene scene = new CycleScene(new InMemoryDestination()).route(event -> {
            routed.add(event);
            return Route.byType().addressOf(event);
        });
        scene.append(List.of(Event.of(type)
                .aggregate("Order", "1")
                .payload(Payload.json("{}"))
                .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")));
        scene.run();
        return routed.get(0);
    }
}
