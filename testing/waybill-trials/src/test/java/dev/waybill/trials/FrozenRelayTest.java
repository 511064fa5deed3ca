package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The active process is suspended (SIGSTOP) past its lease, another takes over, and it resumes (SIGCONT). */
class FrozenRelayTest {

    @Test
    @Tag("full")
    void what_a_woken_process_settles_is_refused_and_first_deliveries_keep_their_order() throws Exception {
        freezeAgainAndAgain(1);
    }

    @Test
    @Tag("full")
    void waking_again_and_again_changes_nothing() throws Exception {
        freezeAgainAndAgain(6);
    }

    private static void freezeAgainAndAgain(int times) throws Exception {
        try (Trial trial = Trial.begin("frozen")) {
            // Saved rarely, so that the suspended process has something to settle when it resumes.
            RelaySettings settings =
                    trial.relay("orders").lease(Duration.ofSeconds(4)).save(Duration.ofSeconds(2));
            RelayPair pair = RelayPair.start(trial, settings);
            Workload load = trial.startWriting(250);
            pair.awaitMessages();
            for (int i = 0; i < times; i++) {
                freezeOne(trial, settings, pair);
            }
            load.end();
            trial.awaitDrained(settings);
            Trial.Outcome outcome = trial.judge(settings, load.log());

            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().duplicates()).isLessThanOrEqualTo(outcome.mostDuplicates());
            assertThat(trial.database().everParked(settings.relay())).isZero();
            assertThat(pair.running()).hasSize(2).allMatch(RelayChild::isAlive);
        }
    }

    private static void freezeOne(Trial trial, RelaySettings settings, RelayPair pair) throws Exception {
        trial.watch(Duration.ZERO, Duration.ofSeconds(1));
        awaitUnsaved(trial.database(), settings.relay());
        RelayStatus.Lease lease = pair.lease();
        RelayChild sleeper = pair.working(lease);
        trial.say("SIGSTOP of " + sleeper.name() + ", which works in epoch " + lease.epoch());
        Instant frozenAt = Instant.now();
        sleeper.freeze();
        pair.awaitTakeover(lease.epoch(), frozenAt);
        trial.watch(Duration.ZERO, Duration.ofSeconds(1));
        long successor = pair.lease().epoch();
        sleeper.thaw();
        trial.say("SIGCONT of " + sleeper.name() + "; epoch " + successor + " works");

        // Either the store refuses what it settles, or it notices first that its lease has ended, and settles nothing.
        String epoch = "epoch " + lease.epoch();
        sleeper.awaitWords(epoch + " was taken over by a newer session", epoch + " was not renewed in time");
        assertThat(pair.lease().epoch()).isEqualTo(successor);
        trial.say("it said: " + sleeper.linesWith(epoch + " ").get(1));
    }

    /** Waits for a save and then for half a second of events. */
    private static void awaitUnsaved(TrialDatabase database, String relay) throws Exception {
        Duration some = Duration.ofMillis(500);
        Await.until("a save", () -> database.sinceSave(relay).compareTo(some) < 0);
        Await.until("something unsaved", () -> database.sinceSave(relay).compareTo(some) > 0);
    }
}
