package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kafka becomes unavailable under load and recovers. */
class KafkaAwayTest {
    private static final Duration OUTAGE = Duration.ofSeconds(20);

    /** One relay waits for the end of the outage in its producer; the other repeatedly gives up and starts again. */
    @Tag("full")
    @Test
    void an_outage_of_twenty_seconds_loses_nothing_and_counts_against_no_event() throws Exception {
        try (Trial trial = Trial.begin("kafka-away")) {
            RelaySettings patient = trial.relay("patient");
            RelaySettings hasty = trial.relay("hasty").withDelivery(Duration.ofSeconds(3));
            RelayChild patientProcess = trial.start(patient);
            RelayChild hastyProcess = trial.start(hasty);
            Workload load = trial.startWriting(250);
            awaitMessages(trial.read(patient));
            awaitMessages(trial.read(hasty));
            trial.say("Kafka goes away for " + OUTAGE.toSeconds() + " s");
            TrialServers.withoutKafka(() -> Await.watch(OUTAGE));
            trial.say("Kafka is back");
            trial.watch(Duration.ofMillis(500), Duration.ofSeconds(2));
            load.end();
            judge(trial, patient, patientProcess, load.log());
            judge(trial, hasty, hastyProcess, load.log());

            assertThat(hastyProcess.says("the destination is unavailable")).isTrue();
        }
    }

    private static void awaitMessages(TopicReader reader) throws Exception {
        Await.until("the first message", () -> !reader.read().isEmpty());
    }

    private static void judge(Trial trial, RelaySettings settings, RelayChild process, WriterLog log) throws Exception {
        trial.awaitDrained(settings);
        Trial.Outcome outcome = trial.judge(settings, log);

        assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
        assertThat(trial.database().everParked(settings.relay())).isZero();
        assertThat(process.isAlive()).isTrue();
        trial.end(process);
    }
}
