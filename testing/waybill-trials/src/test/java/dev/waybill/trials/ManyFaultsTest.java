package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random faults, each without waiting for the end of the previous one. */
@Tag("full")
class ManyFaultsTest {
    private static final int FAULTS = 25;

    private enum Fault {
        KILL,
        FREEZE,
        TERMINATE,
        KAFKA_AWAY,
        POSTGRES_CRASH
    }

    @Test
    void whatever_happens_nothing_is_lost_and_keys_stay_in_order() throws Exception {
        try (Trial trial = Trial.begin("many-faults")) {
            RelaySettings settings = trial.relay("orders").withDelivery(Duration.ofSeconds(3));
            RelayPair pair = RelayPair.start(trial, settings);
            Workload load = trial.startWriting(250);
            pair.awaitMessages();
            for (int i = 0; i < FAULTS; i++) {
                Fault fault = Fault.values()[trial.random().nextInt(Fault.values().length)];
                trial.say("fault " + (i + 1) + " of " + FAULTS + ": " + fault);
                happen(trial, settings, pair, fault);
                trial.watch(Duration.ZERO, Duration.ofSeconds(4));
            }
            load.end();
            trial.awaitDrained(settings);
            Trial.Outcome outcome = trial.judge(settings, load.log());

            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(trial.database().everParked(settings.relay())).isZero();
            assertThat(pair.running()).hasSize(2).allMatch(RelayChild::isAlive);
        }
    }

    private static void happen(Trial trial, RelaySettings settings, RelayPair pair, Fault fault) throws Exception {
        switch (fault) {
            case KILL -> {
                RelayChild victim = oneOf(trial, settings, pair);
                victim.kill();
                pair.remove(victim);
                pair.startAnother();
            }
            case FREEZE -> {
                RelayChild sleeper = oneOf(trial, settings, pair);
                sleeper.freeze();
                trial.watch(Duration.ofMillis(500), Duration.ofSeconds(6));
                sleeper.thaw();
            }
            case TERMINATE -> {
                RelayChild ending = oneOf(trial, settings, pair);
                trial.end(ending);
                pair.remove(ending);
                pair.startAnother();
            }
            case KAFKA_AWAY ->
                TrialServers.withoutKafka(() -> trial.watch(Duration.ofMillis(100), Duration.ofSeconds(6)));
            case POSTGRES_CRASH ->
                TrialServers.withoutPostgres(() -> trial.watch(Duration.ofMillis(1), Duration.ofSeconds(3)));
        }
    }

    /** Usually the active process, if there is one. */
    private static RelayChild oneOf(Trial trial, RelaySettings settings, RelayPair pair) {
        Optional<RelayStatus.Lease> lease = trial.lease(settings);
        List<RelayChild> working = pair.running().stream()
                .filter(child -> lease.isPresent() && child.owns(lease.get().owner()))
                .toList();
        boolean any = working.isEmpty() || trial.random().nextInt(4) == 0;
        return any ? pair.running().get(trial.random().nextInt(pair.running().size())) : working.get(0);
    }
}
