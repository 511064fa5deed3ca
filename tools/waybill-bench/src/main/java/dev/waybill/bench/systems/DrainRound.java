package dev.waybill.bench.systems;

import dev.waybill.bench.results.Median;
import dev.waybill.bench.results.Results.Drain;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One drain of one system. The rate is that of the arrivals, from the first record to the last by the broker's clock, so that
 * the time before the first does not count. A consumer counts the records afterwards, when it does not slow the system down.
 */
final class DrainRound {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** A system that has sent events and then none for so long has lost the others, or hangs. */
    private static final Duration STALLED = Duration.ofSeconds(20);

    private static final Duration QUIET = Duration.ofMillis(300);

    /** Rare, so that asking does not slow the system down. */
    private static final Duration POLL = Duration.ofMillis(20);

    private final Stage stage;
    private final Topics topics;

    DrainRound(Stage stage, Topics topics) {
        this.stage = stage;
        this.topics = topics;
    }

    /**
     * What one drain has shown.
     *
     * @param costed how many of the events the cost is that of
     */
    record Figures(
            long events,
            double rate,
            Spent cost,
            long costed,
            int residentMegabytes,
            @Nullable Integer liveMegabytes) {
        private static final double MILLION = 1e6;

        static Drain together(String system, List<Figures> rounds) {
            Figures last = rounds.get(rounds.size() - 1);
            return new Drain(
                    system,
                    rounds.stream().mapToLong(Figures::events).min().orElse(0),
                    rounds.stream().map(Figures::rate).toList(),
                    MILLION * median(rounds, figures -> seconds(figures.cost.system())),
                    MILLION * median(rounds, figures -> seconds(figures.cost.database())),
                    median(rounds, figures -> figures.cost.wal()),
                    median(rounds, figures -> figures.cost.deadTuples()),
                    last.cost.roundTrips() == 0 ? null : median(rounds, figures -> figures.cost.roundTrips()),
                    last.residentMegabytes,
                    last.liveMegabytes);
        }

        /** @param cost of all events */
        private static double median(List<Figures> rounds, ToDoubleFunction<Figures> cost) {
            return Median.of(rounds.stream()
                    .map(figures -> cost.applyAsDouble(figures) / figures.costed)
                    .toList());
        }

        /** Never negative: the kernel's clock has ticks of 10 ms, and processes of the database end meanwhile. */
        private static double seconds(Duration time) {
            return Math.max(0, time.toNanos()) / 1e9;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,10.0f/s  CPU %.2f + %.2f s per million  %,d events",
                    rate,
                    MILLION * seconds(cost.system()) / costed,
                    MILLION * seconds(cost.database()) / costed,
                    events);
        }
    }

    Figures measure(RunningSystem system, DrainPlan plan)
            throws SystemFailedException, SQLException, InterruptedException {
        int events = system.spec().events(plan.events());
        if (plan.shape() != null) {
            system.tell("vary " + plan.shape().words());
        }
        system.tell("prepare " + (plan.warmUp() > 0 ? plan.warmUp() : events));
        String topic = topics.create("drain-" + system.name());
        try (Connection connection = stage.connect();
                Connection other = stage.connect()) {
            if (plan.openTransaction()) {
                begin(other);
            }
            String begin = plan.warmUp() > 0 ? addWhilePaused(system, topic, plan) : "start " + topic;
            return drain(system, topic, plan, new Beginning(begin, topics.ends(topic)), connection);
        } finally {
            topics.delete(topic);
        }
    }

    /**
     * How the drain of the backlog begins.
     *
     * @param command to the system
     * @param ends of the topic's partitions before
     */
    private record Beginning(String command, Map<TopicPartition, Long> ends) {
        long offsets() {
            return ends.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** The system keeps its connections while it is paused. */
    private String addWhilePaused(RunningSystem system, String topic, DrainPlan plan) throws SystemFailedException {
        system.tell("start " + topic);
        long deadline = System.nanoTime() + plan.longest().toNanos();
        if (!awaitAll(system, topic, plan.warmUp(), deadline)) {
            throw new SystemFailedException(
                    system.name() + ": its warm-up took longer than "
                            + plan.longest().toSeconds() + " s.",
                    null);
        }
        system.tell("pause");
        system.tell("add " + system.spec().events(plan.events()));
        return "resume";
    }

    /** Begins a transaction with an id of its own, which holds back what others may clean up. */
    private static void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_current_xact_id()");
        }
    }

    private Figures drain(
            RunningSystem system, String topic, DrainPlan plan, Beginning beginning, Connection connection)
            throws SystemFailedException, SQLException {
        long events = (long) system.spec().events(plan.events()) * plan.relays();
        Spent before = spent(system, connection);
        long earlier = beginning.offsets();
        system.tell(beginning.command());
        long deadline = System.nanoTime() + plan.longest().toNanos();
        long arrived = awaitFirst(system, topic, earlier);
        // If the beginning was missed, the cost of the start is a part of the cost. A system that runs has none.
        boolean fromBefore = plan.warmUp() > 0 || arrived > events / 10;
        Spent began = fromBefore ? before : spent(system, connection);
        boolean done = awaitAll(system, topic, earlier + events, deadline);
        int resident = Spent.residentMegabytes(system.pid());
        Spent end = spent(system, connection);
        Integer live = plan.shape() == null ? null : Integer.valueOf(system.tell("memory"));
        system.tell("stop");
        Topics.Counted counted = topics.count(topic, beginning.ends());
        // Relays of one process send the same events. What comes twice has cost something, but is not more throughput.
        long different = system.spec().identified() ? counted.different() * plan.relays() : counted.records();
        long once = Math.min(different, events);
        if (done && once < events) {
            throw new SystemFailedException(
                    system.name() + ": a consumer found " + once + " of " + events + " events in " + counted.records()
                            + " records.",
                    null);
        }
        double rate = plan.warmUp() > 0 ? counted.rateAfterFirst() : counted.rate();
        return new Figures(
                counted.records(),
                rate * once / Math.max(1, counted.records()),
                end.minus(began),
                fromBefore ? once : once - arrived,
                resident,
                live);
    }

    private Spent spent(RunningSystem system, Connection connection) throws SQLException {
        return Spent.now(system.pid(), stage, connection);
    }

    /**
     * @param earlier offsets of what arrived before
     * @return how many have arrived then
     */
    private long awaitFirst(RunningSystem system, String topic, long earlier) throws SystemFailedException {
        long begun = System.nanoTime();
        long arrived = topics.endOffsets(topic) - earlier;
        while (arrived == 0) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new SystemFailedException(
                        system.name() + ": no event arrived within " + PATIENCE.toSeconds() + " s.", null);
            }
            system.requireAlive();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            arrived = topics.endOffsets(topic) - earlier;
        }
        return arrived;
    }

    /**
     * Waits until all events have arrived and nothing follows: ends of transactions have offsets too.
     *
     * @return false if the deadline was first
     */
    private boolean awaitAll(RunningSystem system, String topic, long events, long deadline)
            throws SystemFailedException {
        long arrived = 0;
        long progressed = System.nanoTime();
        while (System.nanoTime() < deadline) {
            long now = topics.endOffsets(topic);
            long idle = System.nanoTime() - progressed;
            if (now > arrived) {
                arrived = now;
                progressed = System.nanoTime();
            } else if (arrived >= events && idle > QUIET.toNanos()) {
                return true;
            } else if (idle > STALLED.toNanos()) {
                throw new SystemFailedException(
                        system.name() + ": " + arrived + " of " + events + " events arrived, and none for "
                                + STALLED.toSeconds() + " s.",
                        null);
            }
            system.requireAlive();
            LockSupport.parkNanos(POLL.toNanos());
        }
        return false;
    }
}
