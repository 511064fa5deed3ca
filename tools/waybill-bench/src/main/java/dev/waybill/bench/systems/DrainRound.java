package dev.waybill.bench.systems;

import dev.waybill.bench.results.Median;
import dev.waybill.bench.results.Results.Drain;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/**
 * One drain of one system. The rate is that of the arrivals, from the first record to the last by the broker's clock, so that
 * the start of a system does not count. A consumer counts the records afterwards, when it does not slow the system down.
 */
final class DrainRound {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Stage stage;
    private final Topics topics;

    DrainRound(Stage stage, Topics topics) {
        this.stage = stage;
        this.topics = topics;
    }

    /** What one drain has shown; costs are those of one event. */
    record Figures(int events, double rate, double relayCpu, double databaseCpu, double walBytes, double deadTuples) {
        private static final double MILLION = 1e6;

        static Drain together(String system, List<Figures> rounds) {
            return new Drain(
                    system,
                    rounds.get(0).events,
                    rounds.stream().map(Figures::rate).toList(),
                    MILLION * median(rounds, Figures::relayCpu),
                    MILLION * median(rounds, Figures::databaseCpu),
                    median(rounds, Figures::walBytes),
                    median(rounds, Figures::deadTuples));
        }

        private static double median(List<Figures> rounds, ToDoubleFunction<Figures> figure) {
            return Median.of(rounds.stream().map(figure::applyAsDouble).toList());
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,10.0f/s  CPU %.2f + %.2f s per million",
                    rate,
                    MILLION * relayCpu,
                    MILLION * databaseCpu);
        }
    }

    Figures measure(RunningSystem system, int events) throws SystemFailedException, SQLException, InterruptedException {
        system.tell("prepare " + events);
        String topic = topics.create("drain-" + system.name());
        try (Connection connection = stage.connect()) {
            Spent before = spent(system, connection);
            system.tell("start " + topic);
            long arrived = await(system, topic, 1);
            // If the beginning was missed, the cost of the start is a part of the cost.
            Spent began = arrived > events / 10 ? before : spent(system, connection);
            long notCounted = arrived > events / 10 ? 0 : arrived;
            await(system, topic, events);
            system.tell("stop");
            Spent cost = spent(system, connection).minus(began);
            Topics.Counted counted = topics.count(topic);
            if (counted.records() < events) {
                throw new SystemFailedException(
                        system.name() + ": a consumer found " + counted.records() + " of " + events + " events.", null);
            }
            double costed = events - notCounted;
            return new Figures(
                    events,
                    1000.0 * counted.records() / Math.max(1, counted.millis()),
                    cost.system().toNanos() / 1e9 / costed,
                    cost.database().toNanos() / 1e9 / costed,
                    cost.wal() / costed,
                    cost.deadTuples() / costed);
        } finally {
            topics.delete(topic);
        }
    }

    private Spent spent(RunningSystem system, Connection connection) throws SQLException {
        return Spent.now(system.pid(), stage.postmaster(), connection);
    }

    private long await(RunningSystem system, String topic, int events) throws SystemFailedException {
        long arrived = topics.endOffsets(topic);
        long progressed = System.nanoTime();
        while (arrived < events) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            long now = topics.endOffsets(topic);
            if (now > arrived) {
                arrived = now;
                progressed = System.nanoTime();
            } else if (System.nanoTime() - progressed > PATIENCE.toNanos()) {
                throw new SystemFailedException(
                        system.name() + ": " + arrived + " of " + events + " events arrived, and none for "
                                + PATIENCE.toSeconds() + " s.",
                        null);
            }
        }
        return arrived;
    }
}
