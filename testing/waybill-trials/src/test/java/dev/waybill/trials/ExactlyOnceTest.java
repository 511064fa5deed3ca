package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes run a relay that delivers exactly once, under load; a consumer that reads committed messages judges. */
class ExactlyOnceTest {
    private enum Fault {
        KILL,
        POSTGRES_CRASH,
        BROKER_CRASH
    }

    @Test
    void kills_and_crashes_repeat_nothing() throws Exception {
        survive(1, 1, 1);
    }

    @Test
    @Tag("full")
    void thirty_kills_and_five_crashes_of_each_server_repeat_nothing() throws Exception {
        survive(30, 5, 5);
    }

    @Tag("full")
    @Test
    void a_process_that_wakes_up_after_its_lease_commits_nothing() throws Exception {
        freezeAgainAndAgain(1);
    }

    @Test
    @Tag("full")
    void processes_that_wake_up_again_and_again_commit_nothing() throws Exception {
        freezeAgainAndAgain(6);
    }

    @Tag("full")
    @Test
    void switching_between_the_modes_loses_nothing_and_clean_stops_repeat_nothing() throws Exception {
        try (Trial trial = Trial.begin("switched")) {
            RelaySettings settings = trial.relay("orders");
            Workload load = trial.startWriting(250);
            for (boolean once : List.of(false, true, false)) {
                RelayChild child = trial.start(settings.exactlyOnce(once));
                long epoch = lease(trial, settings).epoch();
                awaitMessagesOf(trial, settings, epoch);
                trial.watch(Duration.ofMillis(500), Duration.ofSeconds(2));
                trial.end(child);
            }
            load.end();
            RelayChild last = trial.start(settings.exactlyOnce(true));
            trial.awaitDrained(settings);
            Trial.Outcome outcome = trial.judge(settings, load.log());
            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().duplicates()).as(outcome.toString()).isZero();
            trial.end(last);
        }
    }

    @Test
    @Tag("full")
    void switching_after_kills_loses_nothing_and_repeats_what_was_not_saved() throws Exception {
        try (Trial trial = Trial.begin("switched-killed")) {
            RelaySettings settings = trial.relay("orders");
            Workload load = trial.startWriting(250);
            long epoch = 0;
            for (boolean once : List.of(true, false, true, false, true)) {
                RelayChild child = trial.start(settings.exactlyOnce(once));
                // The lease of the killed one is there for a while.
                epoch = leaseAfter(epoch, trial, settings).epoch();
                awaitMessagesOf(trial, settings, epoch);
                trial.watch(Duration.ofMillis(500), Duration.ofSeconds(2));
                trial.say("SIGKILL of " + child.name());
                child.kill();
            }
            load.end();
            trial.start(settings.exactlyOnce(true));
            trial.awaitDrained(settings);
            Trial.Outcome outcome = trial.judge(settings, load.log());
            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().duplicates()).isLessThanOrEqualTo(outcome.mostDuplicates());
        }
    }

    private static void survive(int kills, int postgresCrashes, int brokerCrashes) throws Exception {
        try (Trial trial = Trial.begin("exactly-once")) {
            RelaySettings settings = trial.relay("orders").exactlyOnce(true).withDelivery(Duration.ofSeconds(5));
            RelayPair pair = RelayPair.start(trial, settings);
            Workload load = trial.startWriting(250);
            pair.awaitMessages();
            trial.database().execute("checkpoint");
            for (Fault fault : shuffled(trial, kills, postgresCrashes, brokerCrashes)) {
                trial.watch(Duration.ofMillis(300), Duration.ofMillis(2500));
                happen(trial, pair, fault);
            }
            trial.watch(Duration.ofMillis(300), Duration.ofSeconds(1));
            load.end();
            trial.awaitDrained(settings);
            judge(trial, settings, load);
            assertThat(pair.running()).hasSize(2).allMatch(RelayChild::isAlive);
        }
    }

    private static List<Fault> shuffled(Trial trial, int kills, int postgresCrashes, int brokerCrashes) {
        List<Fault> faults = new ArrayList<>();
        faults.addAll(Collections.nCopies(kills, Fault.KILL));
        faults.addAll(Collections.nCopies(postgresCrashes, Fault.POSTGRES_CRASH));
        faults.addAll(Collections.nCopies(brokerCrashes, Fault.BROKER_CRASH));
        Collections.shuffle(faults, trial.random());
        return faults;
    }

    private static void happen(Trial trial, RelayPair pair, Fault fault) throws Exception {
        RelayStatus.Lease lease = pair.lease();
        trial.say(fault + " in epoch " + lease.epoch());
        switch (fault) {
            case KILL -> {
                RelayChild victim = pair.working(lease);
                Instant killedAt = Instant.now();
                victim.kill();
                pair.remove(victim);
                pair.startAnother();
                pair.awaitTakeover(lease.epoch(), killedAt);
            }
            case POSTGRES_CRASH -> {
                TrialServers.withoutPostgres(() -> trial.watch(Duration.ZERO, Duration.ofSeconds(3)));
                pair.awaitTakeover(lease.epoch(), Instant.now());
            }
            case BROKER_CRASH ->
                TrialServers.withoutKafka(() -> trial.watch(Duration.ofMillis(100), Duration.ofSeconds(3)));
        }
    }

    private static void freezeAgainAndAgain(int times) throws Exception {
        try (Trial trial = Trial.begin("exactly-once-frozen")) {
            RelaySettings settings = trial.relay("orders").exactlyOnce(true);
            RelayPair pair = RelayPair.start(trial, settings);
            Workload load = trial.startWriting(250);
            pair.awaitMessages();
            for (int i = 0; i < times; i++) {
                trial.watch(Duration.ZERO, Duration.ofSeconds(1));
                RelayStatus.Lease lease = pair.lease();
                RelayChild sleeper = pair.working(lease);
                trial.say("SIGSTOP of " + sleeper.name() + ", which works in epoch " + lease.epoch());
                Instant frozenAt = Instant.now();
                sleeper.freeze();
                pair.awaitTakeover(lease.epoch(), frozenAt);
                sleeper.thaw();
                String epoch = "epoch " + lease.epoch();
                sleeper.awaitWords(epoch + " was taken over by a newer session", epoch + " was not renewed in time");
            }
            load.end();
            trial.awaitDrained(settings);
            judge(trial, settings, load);
        }
    }

    private static void judge(Trial trial, RelaySettings settings, Workload load) throws Exception {
        Trial.Outcome outcome = trial.judge(settings, load.log());
        assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
        assertThat(outcome.verdict().duplicates()).as(outcome.toString()).isZero();
        assertThat(trial.database().everParked(settings.relay())).isZero();
    }

    private static RelayStatus.Lease lease(Trial trial, RelaySettings settings) {
        return leaseAfter(0, trial, settings);
    }

    private static RelayStatus.Lease leaseAfter(long epoch, Trial trial, RelaySettings settings) {
        Await.until(
                "a lease after epoch " + epoch,
                () -> trial.lease(settings)
                        .filter(lease -> lease.epoch() > epoch)
                        .isPresent());
        return trial.lease(settings).orElseThrow();
    }

    private static void awaitMessagesOf(Trial trial, RelaySettings settings, long epoch) {
        TopicReader reader = trial.read(settings);
        Await.until(
                "messages of epoch " + epoch,
                () -> reader.read().stream().anyMatch(message -> message.epoch() == epoch));
    }
}
