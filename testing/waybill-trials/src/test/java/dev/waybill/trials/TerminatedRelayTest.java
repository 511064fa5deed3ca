package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import dev.waybill.relay.RelayOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The active process gets SIGTERM under load, and the other continues from its position. */
class TerminatedRelayTest {

    @Tag("full")
    @Test
    void a_process_that_is_asked_to_end_leaves_nothing_lost_and_nothing_repeated() throws Exception {
        terminateAgainAndAgain(2);
    }

    @Test
    @Tag("full")
    void ending_again_and_again_repeats_nothing() throws Exception {
        terminateAgainAndAgain(15);
    }

    private static void terminateAgainAndAgain(int times) throws Exception {
        try (Trial trial = Trial.begin("terminated")) {
            RelaySettings settings =
                    trial.relay("orders").lease(RelayOptions.defaults().lease());
            RelayPair pair = RelayPair.start(trial, settings);
            Workload load = trial.startWriting(250);
            pair.awaitMessages();
            for (int i = 0; i < times; i++) {
                trial.watch(Duration.ofMillis(200), Duration.ofMillis(1500));
                terminateOne(trial, pair);
            }
            load.end();
            trial.awaitDrained(settings);
            Trial.Outcome outcome = trial.judge(settings, load.log());

            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().duplicates()).isZero();
            assertThat(outcome.epochs()).hasSize(times + 1);
        }
    }

    private static void terminateOne(Trial trial, RelayPair pair) throws Exception {
        RelayStatus.Lease lease = pair.lease();
        RelayChild ending = pair.working(lease);
        trial.say("SIGTERM to " + ending.name() + ", which works in epoch " + lease.epoch());
        Instant askedAt = Instant.now();
        ending.terminate();
        boolean ended = ending.endsWithin(RelayOptions.defaults().grace());
        trial.say("it ended after " + Duration.between(askedAt, Instant.now()).toMillis() + " ms");
        assertThat(ended).isTrue();
        ending.awaitWords(RelayProcess.ENDED);
        pair.remove(ending);
        pair.startAnother();
        pair.awaitTakeover(lease.epoch(), askedAt);
    }
}
