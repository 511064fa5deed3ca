package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.Format;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.tck.Seeds;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A standby is promoted under load: cleanly, or without the last commits of the primary. */
class FailoverTest {
    private static final int TRANSACTIONS = 200;

    /** The failover that happens between the first and the last events. */
    private interface Promotion {
        void of(ServerPair servers) throws Exception;
    }

    @Test
    void a_clean_promotion_loses_nothing_and_keeps_the_order() throws Exception {
        switchOver();
    }

    @Test
    void a_promotion_that_loses_commits_loses_no_event_that_survived() throws Exception {
        failOver(WaitFor.COMMIT);
    }

    @Tag("full")
    @Test
    void a_relay_that_waits_for_the_replica_publishes_nothing_that_a_promotion_undoes() throws Exception {
        failOver(WaitFor.replica(ServerPair.STANDBY));
    }

    @Tag("full")
    @RepeatedTest(3)
    void clean_promotions_again_and_again() throws Exception {
        switchOver();
    }

    @Tag("full")
    @RepeatedTest(3)
    void promotions_that_lose_commits_again_and_again() throws Exception {
        failOver(WaitFor.COMMIT);
    }

    @Tag("full")
    @RepeatedTest(3)
    void promotions_under_a_relay_that_waits_for_the_replica_again_and_again() throws Exception {
        failOver(WaitFor.replica(ServerPair.STANDBY));
    }

    private static void switchOver() throws Exception {
        Outcome outcome = run("switchover", WaitFor.COMMIT, ServerPair::switchOver);

        assertThat(outcome.undone()).as("commits undone").isZero();
        assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
    }

    private static void failOver(WaitFor waitFor) throws Exception {
        Outcome outcome = run("failover", waitFor, servers -> {
            servers.cutOff();
            Await.watch(Duration.ofSeconds(1));
            servers.failOver();
            if (waitFor.stage() == WaitFor.Stage.REPLICA) {
                servers.replaceStandby();
            }
        });

        Verdict verdict = outcome.verdict();
        assertThat(outcome.undone())
                .as("commits undone; without any nothing was tried")
                .isPositive();
        assertThat(verdict.lost()).as(outcome.toString()).isEmpty();
        assertThat(verdict.inversions()).as(outcome.toString()).isEmpty();
        if (waitFor.stage() == WaitFor.Stage.REPLICA) {
            assertThat(verdict.ghosts()).as(outcome.toString()).isEmpty();
        } else {
            assertThat(verdict.ghosts()).as("published before their undoing").isNotEmpty();
        }
    }

    /** @param undone events that were committed and then lost */
    private record Outcome(Verdict verdict, long undone) {}

    private static Outcome run(String name, WaitFor waitFor, Promotion promotion) throws Exception {
        long seed = Seeds.one();
        RecordingDestination destination = new RecordingDestination();
        try (ServerPair servers = ServerPair.start();
                Relay relay = plan(servers, waitFor, destination).start();
                Workload load = Workload.start(servers.dataSource(), seed, TRANSACTIONS)) {
            servers.awaitFollowing();
            Await.until("the first events", () -> destination.stream().size() > TRANSACTIONS / 2);
            promotion.of(servers);
            int before = destination.stream().size();
            Await.until("events after the promotion", () -> destination.stream().size() > before + TRANSACTIONS / 2);
            load.end();
            Await.until("an empty backlog", Duration.ofMinutes(2), () -> isDrained(servers));
            Outcome outcome = judge(servers.committed(), load.log(), destination);
            System.out.printf(
                    "trial %s, wait-for %s, seed %d: %s, commits undone %d, published and undone %d%n",
                    name,
                    waitFor.stage(),
                    seed,
                    outcome.verdict().summary(),
                    outcome.undone(),
                    outcome.verdict().ghosts().size());
            assertThat(relay.isAlive()).isTrue();
            return outcome;
        }
    }

    private static RelayPlan plan(ServerPair servers, WaitFor waitFor, RecordingDestination destination) {
        return Relay.named("orders")
                .from(PostgresJournal.on(
                        servers.dataSource(), JournalOptions.defaults().waitFor(waitFor)))
                .to(destination)
                .route(Route.template("{aggregateType}"))
                .format(Format.envelope("trial"))
                .options(RelayOptions.defaults().lease(Duration.ofSeconds(3)));
    }

    private static boolean isDrained(ServerPair servers) {
        return PostgresJournal.on(servers.dataSource()).admin().relays().stream()
                .allMatch(status -> status.backlog() == 0 && status.parked() == 0);
    }

    /** Only the surviving part of the events that were reported as committed can be delivered. */
    private static Outcome judge(Map<UUID, Committed> survived, WriterLog log, RecordingDestination destination) {
        long undone = log.ok().stream().filter(id -> !survived.containsKey(id)).count();
        WriterLog known = new WriterLog();
        known.failed(log.failed());
        known.ok(log.ok().stream().filter(survived::containsKey).toList());
        known.unknown(log.unknown());
        return new Outcome(Checker.judge(survived, known, destination.stream()), undone);
    }
}
