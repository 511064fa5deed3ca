package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes run a relay under load; one after another is killed with SIGKILL at a random moment and started again. */
class KilledRelayTest {
    private static final Duration LONGEST_TAKEOVER = Duration.ofSeconds(10);

    private final List<RelayChild> running = new ArrayList<>();
    private final List<Duration> takeovers = new ArrayList<>();

    @Test
    void three_kills_lose_nothing_and_repeat_only_what_was_not_saved() throws Exception {
        killAgainAndAgain(3, Duration.ofSeconds(3));
    }

    @Test
    @Tag("full")
    void ten_kills_with_short_leases_lose_nothing() throws Exception {
        killAgainAndAgain(10, Duration.ofSeconds(3));
    }

    @Test
    @Tag("full")
    void ten_kills_with_long_leases_lose_nothing() throws Exception {
        killAgainAndAgain(10, Duration.ofSeconds(6));
    }

    private void killAgainAndAgain(int kills, Duration lease) throws Exception {
        try (Trial trial = Trial.begin("killed")) {
            RelaySettings settings = trial.relay("orders").withLease(lease);
            running.add(trial.start(settings));
            running.add(trial.start(settings));
            Workload load = trial.startWriting(250);
            TopicReader reader = trial.read(settings);
            Await.until("the first message", () -> !reader.read().isEmpty());
            for (int kill = 0; kill < kills; kill++) {
                trial.watch(Duration.ofMillis(300), Duration.ofMillis(2500));
                // The first is always the one that works, or there might be no takeover at all.
                killOne(trial, settings, reader, kill == 0 || trial.random().nextInt(4) > 0);
            }
            load.end();
            trial.awaitDrained(settings);
            judge(trial, settings, load);
        }
    }

    private void killOne(Trial trial, RelaySettings settings, TopicReader reader, boolean theWorking) throws Exception {
        RelayStatus.Lease lease = trial.lease(settings).orElseThrow();
        RelayChild victim = running.stream()
                .filter(child -> child.owns(lease.owner()) == theWorking)
                .findFirst()
                .orElseThrow();
        trial.say("SIGKILL of " + victim.name()
                + (theWorking ? ", which works in epoch " : ", which stands by in epoch ") + lease.epoch());
        Instant killedAt = Instant.now();
        victim.kill();
        running.remove(victim);
        running.add(trial.start(settings));
        if (theWorking) {
            takeovers.add(awaitTakeover(trial, reader, lease.epoch(), killedAt));
        }
    }

    private static Duration awaitTakeover(Trial trial, TopicReader reader, long epoch, Instant killedAt)
            throws Exception {
        Await.until("a message of an epoch after " + epoch, () -> firstAfter(epoch, reader.read()) != null);
        Duration takeover = Duration.between(killedAt, firstAfter(epoch, reader.read()));
        trial.say("takeover after " + takeover.toMillis() + " ms");
        return takeover;
    }

    private static Instant firstAfter(long epoch, List<Delivered> stream) {
        return stream.stream()
                .filter(message -> message.epoch() > epoch)
                .map(Delivered::appendedAt)
                .min(Instant::compareTo)
                .orElse(null);
    }

    private void judge(Trial trial, RelaySettings settings, Workload load) throws Exception {
        Trial.Outcome outcome = trial.judge(settings, load.log());
        trial.say("duplicates " + outcome.verdict().duplicates() + ", at most " + outcome.mostDuplicates()
                + " (published since the last save); takeovers " + takeovers);

        assertThat(outcome.verdict().isGood()).as(outcome.verdict().toString()).isTrue();
        assertThat(outcome.verdict().duplicates()).isLessThanOrEqualTo(outcome.mostDuplicates());
        assertThat(takeovers).isNotEmpty().allMatch(takeover -> takeover.compareTo(LONGEST_TAKEOVER) <= 0);
        assertThat(trial.database().everParked(settings.relay())).isZero();
        assertThat(running).allMatch(RelayChild::isAlive);
    }
}
