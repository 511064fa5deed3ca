package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.relay.RelayOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes run a relay under load; one after another is killed with SIGKILL at a random moment and started again. */
class KilledRelayTest {
    private static final String BACKLOG = """
            insert into waybill.event (type, aggregate_type, aggregate_id, aggregate_version, payload)
            select 'aggregate.changed.v1', case when g % 2 = 0 then 'Order' else 'Payment' end, 'aggregate-' || g % 500, g,
                   json_build_object('revision', g, 'note', repeat('x', 300))
              from generate_series(1, 600000) g""";

    private final List<Duration> takeovers = new ArrayList<>();

    @Test
    void a_kill_loses_nothing_and_repeats_only_what_was_not_saved() throws Exception {
        killAgainAndAgain(1, Duration.ofSeconds(3));
    }

    @Test
    @Tag("full")
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

    /** At this load, the number of events, not the time, decides when a position is saved. */
    @Test
    @Tag("full")
    void kills_while_a_backlog_is_drained_repeat_no_more_than_the_options_promise() throws Exception {
        try (Trial trial = Trial.begin("killed-draining")) {
            RelaySettings settings = trial.relay("orders");
            trial.database().execute(BACKLOG);
            RelayPair pair = RelayPair.start(trial, settings);
            pair.awaitMessages();
            for (int kill = 0; kill < 5 && !trial.database().isDrained(settings.relay()); kill++) {
                trial.watch(Duration.ofMillis(50), Duration.ofMillis(500));
                killOne(trial, pair, true);
            }
            trial.awaitDrained(settings);
            Trial.Outcome outcome = judge(trial, settings, new WriterLog());

            RelayOptions options = RelayOptions.defaults();
            long promised = JournalOptions.defaults().saveEvery()
                    + (options.inFlight().batches() + 1L) * options.batch().events();
            assertThat(outcome.notSaved().values()).allMatch(repeated -> repeated <= promised);
        }
    }

    private void killAgainAndAgain(int kills, Duration lease) throws Exception {
        try (Trial trial = Trial.begin("killed")) {
            RelaySettings settings = trial.relay("orders").lease(lease);
            RelayPair pair = RelayPair.start(trial, settings);
            Workload load = trial.startWriting(250);
            pair.awaitMessages();
            for (int kill = 0; kill < kills; kill++) {
                trial.watch(Duration.ofMillis(300), Duration.ofMillis(2500));
                // The first is always the active one; otherwise there might be no takeover.
                killOne(trial, pair, kill == 0 || trial.random().nextInt(4) > 0);
            }
            load.end();
            trial.awaitDrained(settings);
            judge(trial, settings, load.log());
            assertThat(pair.running()).hasSize(2).allMatch(RelayChild::isAlive);
        }
    }

    private void killOne(Trial trial, RelayPair pair, boolean theWorking) throws Exception {
        RelayStatus.Lease lease = pair.lease();
        RelayChild victim = theWorking ? pair.working(lease) : pair.standingBy(lease);
        trial.say("SIGKILL of " + victim.name() + (theWorking ? ", which works" : ", which stands by") + ", in epoch "
                + lease.epoch());
        Instant killedAt = Instant.now();
        victim.kill();
        pair.remove(victim);
        pair.startAnother();
        if (theWorking) {
            takeovers.add(pair.awaitTakeover(lease.epoch(), killedAt));
        }
    }

    private Trial.Outcome judge(Trial trial, RelaySettings settings, WriterLog log) throws Exception {
        Trial.Outcome outcome = trial.judge(settings, log);
        trial.say("takeovers " + takeovers.stream().map(Duration::toMillis).toList() + " ms (10,000 is the aim)");

        assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
        assertThat(outcome.verdict().duplicates()).isLessThanOrEqualTo(outcome.mostDuplicates());
        assertThat(takeovers).isNotEmpty();
        assertThat(trial.database().everParked(settings.relay())).isZero();
        return outcome;
    }
}
