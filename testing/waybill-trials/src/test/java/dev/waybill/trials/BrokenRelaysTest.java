package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.Relay;
import dev.waybill.spi.Destination;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks the trials themselves: they detect each relay that breaks a rule, and accept a correct one. */
class BrokenRelaysTest {

    @Test
    void each_broken_rule_is_noticed() throws Exception {
        try (Trial trial = Trial.begin("broken")) {
            Workload load = trial.startWriting(500);
            trial.watch(Duration.ofMillis(1000), Duration.ofMillis(1500));
            load.end();
            Map<Flaw, Trial.Outcome> outcomes = new EnumMap<>(Flaw.class);
            for (Flaw flaw : EnumSet.complementOf(EnumSet.of(Flaw.MARKS_BEFORE_ACK))) {
                outcomes.put(flaw, drain(trial, load, flaw));
            }

            assertThat(outcomes.get(Flaw.NONE).verdict().isGood()).isTrue();
            assertThat(outcomes.get(Flaw.NONE).verdict().duplicates()).isZero();
            assertThat(outcomes.get(Flaw.DROPS).verdict().lost()).isNotEmpty();
            assertThat(outcomes.get(Flaw.REPEATS).verdict().duplicates())
                    .isGreaterThan(outcomes.get(Flaw.REPEATS).mostDuplicates());
            assertThat(outcomes.get(Flaw.TURNS_AROUND).verdict().inversions()).isNotEmpty();
            assertThat(outcomes.get(Flaw.MAKES_UP).verdict().ghosts()).isNotEmpty();
        }
    }

    /** All events are appended before the relay starts, so that a batch has several events of a key. */
    private static Trial.Outcome drain(Trial trial, Workload load, Flaw flaw) throws Exception {
        RelaySettings settings = trial.relay(flaw.name()).withFlaw(flaw);
        try (Destination destination = settings.destination();
                Relay relay = settings.plan(destination).start()) {
            trial.awaitDrained(settings);
            assertThat(relay.statistics().sessions()).isEqualTo(1);
        }
        return trial.judge(settings, load.log());
    }

    @Test
    @Tag("full")
    void a_relay_that_marks_before_the_acknowledgement_is_caught_when_it_is_killed() throws Exception {
        try (Trial trial = Trial.begin("broken")) {
            RelaySettings settings = trial.relay("orders");
            RelayChild broken = trial.start(settings.withFlaw(Flaw.MARKS_BEFORE_ACK));
            Workload load = trial.startWriting(250);
            TopicReader reader = trial.read(settings);
            Await.until("the first message", () -> !reader.read().isEmpty());
            trial.watch(Duration.ofMillis(500), Duration.ofMillis(1500));
            trial.say("SIGKILL of " + broken.name());
            broken.kill();
            load.end();
            trial.start(settings);
            trial.awaitDrained(settings);

            assertThat(trial.judge(settings, load.log()).verdict().lost()).isNotEmpty();
        }
    }
}
