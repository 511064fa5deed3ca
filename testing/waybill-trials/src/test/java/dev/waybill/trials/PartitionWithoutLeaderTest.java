package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.RelayOptions;
import dev.waybill.testkit.Await;
import dev.waybill.trials.EightPartitions.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One of eight partitions on three brokers has no leader for a while, and the others continue. */
class PartitionWithoutLeaderTest {
    private static final Duration BEFORE = Duration.ofSeconds(5);
    /** What may be out at once: the most that an outage repeats. */
    private static final long IN_FLIGHT =
            (long) RelayOptions.defaults().inFlight().batches()
                    * RelayOptions.defaults().batch().events();

    private static final double ENOUGH = 0.8;
    private static final int BACKLOG = Integer.getInteger("waybill.partitionBacklog", 3_000_000);

    private static final String FILL = """
            insert into waybill.event (type, aggregate_type, aggregate_id, aggregate_version, payload)
            select 'aggregate.changed.v1', 'Order', (g %% 2000)::text, g,
                   json_build_object('revision', g, 'note', repeat('x', 200))
              from generate_series(1, %d) g order by g""".formatted(BACKLOG);

    @Tag("full")
    @Test
    void the_others_flow_and_everything_arrives_in_order_after() throws Exception {
        Rates rates = underLoad(250, Duration.ofSeconds(10));
        assertThat(rates.meanwhile).as(rates.toString()).isPositive();
    }

    @Test
    @Tag("full")
    void the_others_keep_their_rate_at_two_thousand_a_second() throws Exception {
        Rates rates = underLoad(1_000, Duration.ofSeconds(30));
        assertThat(rates.ratio()).as(rates.toString()).isGreaterThanOrEqualTo(ENOUGH);
    }

    /**
     * During the outage every batch parks an eighth of its events in a separate transaction; the rate is printed, not
     * asserted.
     */
    @Test
    @Tag("full")
    void the_others_flow_while_a_backlog_is_drained_as_fast_as_it_goes() throws Exception {
        try (Trial trial = Trial.begin("partition-backlog")) {
            trial.database().execute(FILL);
            trial.say(BACKLOG + " events appended");
            try (EightPartitions scene = new EightPartitions(trial)) {
                Rates rates = judge(trial, scene, new WriterLog(), outage(scene, 10_000, Duration.ofSeconds(30)));
                assertThat(rates.meanwhile).as(rates.toString()).isPositive();
            }
        }
    }

    /** About two events in a transaction. */
    private static Rates underLoad(int transactionsPerSecond, Duration outage) throws Exception {
        try (Trial trial = Trial.begin("partition-away");
                EightPartitions scene = new EightPartitions(trial)) {
            Workload load = trial.startWriting(transactionsPerSecond);
            List<Window> windows = outage(scene, transactionsPerSecond, outage);
            load.end();
            return judge(trial, scene, load.log(), windows);
        }
    }

    /** Measures the rate before the outage, once the relay is running, and during it. */
    private static List<Window> outage(EightPartitions scene, long published, Duration outage) throws Exception {
        Await.until("the first events", () -> scene.relay().statistics().published() > published);
        Instant from = Instant.now();
        Await.watch(BEFORE);
        Window before = new Window(from, Instant.now());
        return List.of(before, scene.withoutOneLeader(outage));
    }

    private record Rates(double usual, double meanwhile) {
        double ratio() {
            return meanwhile / usual;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "the seven others: %.0f events/s before, %.0f events/s meanwhile, ratio %.2f",
                    usual,
                    meanwhile,
                    ratio());
        }
    }

    private static Rates judge(Trial trial, EightPartitions scene, WriterLog log, List<Window> windows)
            throws Exception {
        Await.until(
                "an empty backlog",
                Duration.ofMinutes(5),
                () -> trial.database().isDrained(EightPartitions.RELAY));
        trial.say("drained: " + scene.counts());
        Map<UUID, Committed> committed = trial.database().committed();
        List<Delivered> stream = scene.read();
        Rates rates = new Rates(
                EightPartitions.rateOfTheSeven(stream, committed, windows.get(0)),
                EightPartitions.rateOfTheSeven(stream, committed, windows.get(1)));
        Verdict verdict = Checker.judge(committed, log, stream);
        trial.say(rates + "; " + verdict + ", at most in flight " + IN_FLIGHT);
        assertThat(verdict.isGood()).as(verdict.toString()).isTrue();
        assertThat(verdict.duplicates()).isLessThanOrEqualTo(IN_FLIGHT);
        return rates;
    }
}
