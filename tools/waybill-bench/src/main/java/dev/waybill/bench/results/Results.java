package dev.waybill.bench.results;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one run has measured, or several into the same folder. Stored as JSON; tables, charts and the page of the documentation
 * are made from it.
 *
 * @param date of the last run
 * @param parts the date and version of the run in which each part was measured
 * @param commands of these runs
 */
public record Results(
        String date,
        Map<String, String> machine,
        Map<String, String> parts,
        Map<String, String> commands,
        Map<String, String> settings,
        List<Measured> systems,
        List<Missing> missing,
        List<Drain> drains,
        List<Latency> latencies,
        List<Append> appends,
        List<Variation> variations,
        List<DistantLatency> distantLatencies,
        List<Consumed> inbox) {
    /** Those of other programs or versions may lack something. */
    public Results {
        Stream.of(date, machine, parts, commands, settings, systems, missing, drains, latencies, appends, variations)
                .forEach(Objects::requireNonNull);
        Stream.of(distantLatencies, inbox).forEach(Objects::requireNonNull);
    }

    public static final String RAW = "raw producer";
    public static final String JOURNAL = "journal";
    public static final String EXACTLY_ONCE = "journal, exactly once";
    public static final String NOT_WOKEN = "journal, another process";
    public static final String JOURNAL_SQL = "journal, plain SQL";
    public static final String STARTER = "journal, starter";
    public static final String STARTER_NO_EVENT = "no event, Spring";
    /** Their clients use Spring's transactions and a pool. */
    private static final Set<String> WITH_SPRING = Set.of(STARTER, STARTER_NO_EVENT, "Spring Modulith", "namastack");

    public static final String TABLE = "table";
    public static final String TABLE_DELETING = "table, rows deleted";
    public static final String PIPE = "bare pipe";
    public static final String OVERLAPPED = "overlapped pipe";
    public static final String DEBEZIUM = "Debezium Engine";
    public static final String SMALLEST_INSERT = "smallest insert";
    public static final String DIRECT = "direct";

    /** Events a second at which the latency of all systems is compared. */
    public static final int LOW_RATE = 500;

    /** The journal is to have so many times the rate of Debezium. */
    static final int DEBEZIUM_GOAL = 6;

    public static final String NO_EVENT = "no event";

    /** A system of the run. */
    public record Measured(String name, String version, String settings) {}

    /**
     * What was not measured.
     *
     * @param system the name of a system; "everything" if the part itself failed
     */
    public record Missing(String part, String system, String reason) {}

    /**
     * Draining a backlog: events a second in each round, and what a million events cost (medians of the rounds).
     *
     * @param events that arrived, in the round with the fewest
     * @param relayCpu CPU seconds of the system's process for a million events
     * @param databaseCpu CPU seconds of PostgreSQL for a million events
     * @param walBytes written by PostgreSQL for each event
     * @param deadTuples left behind for each event
     * @param roundTrips to the database for each event; null if they were not counted
     * @param residentMegabytes of the system's process at the end
     * @param liveMegabytes of its heap, after a collection at the end; null if it was not asked
     */
    public record Drain(
            String system,
            long events,
            List<Double> rates,
            double relayCpu,
            double databaseCpu,
            double walBytes,
            double deadTuples,
            @Nullable Double roundTrips,
            int residentMegabytes,
            @Nullable Integer liveMegabytes) {
        public Drain {
            requireRates(system, rates);
        }

        public double rate() {
            return Median.of(rates);
        }

        /** CPU seconds of both for a million events. */
        public double cpu() {
            return relayCpu + databaseCpu;
        }
    }

    /**
     * From commit to consumer.
     *
     * @param rate events a second that were appended
     * @param millis by quantile, such as 0.99
     */
    public record Latency(String system, int rate, int events, Map<Double, Double> millis) {
        public Latency {
            if (!millis.keySet().containsAll(List.of(0.5, 0.99, 0.999, 1.0))
                    || !millis.values().stream().allMatch(time -> time >= 0 && time < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(system + " has no latency at p50, p99, p99.9 or the maximum.");
            }
        }

        public double at(double quantile) {
            return millis.getOrDefault(quantile, Double.NaN);
        }
    }

    /** Transactions a second with one row and one event, four clients; one rate for each round. */
    public record Append(String system, List<Double> rates) {
        public Append {
            requireRates(system, rates);
        }

        public double rate() {
            return Median.of(rates);
        }
    }

    /**
     * A drain with one thing changed.
     *
     * @param what is changed, such as "backlog"
     * @param value that it has
     */
    public record Variation(String part, String what, String value, Drain drain) {}

    /** @param link which server is how far away */
    public record DistantLatency(String link, Latency latency) {}

    /** A consumer with or without an inbox. */
    public record Consumed(String way, double rate, double commitsPerEvent) {}

    private static void requireRates(String system, List<Double> rates) {
        if (rates.isEmpty() || !rates.stream().allMatch(rate -> rate >= 0 && rate < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(system + " has rates that are no rates: " + rates);
        }
    }

    /** The commands of all parts. */
    public String command() {
        return commands.values().stream().distinct().collect(Collectors.joining("; "));
    }

    public boolean isOfOneRun() {
        return Set.copyOf(parts.values()).size() <= 1;
    }

    boolean isQuick(String part) {
        return commands.getOrDefault(part, "").contains(" --quick");
    }

    public Optional<Drain> drain(String system) {
        return drains.stream().filter(each -> each.system().equals(system)).findFirst();
    }

    public Optional<Append> append(String system) {
        return appends.stream().filter(each -> each.system().equals(system)).findFirst();
    }

    /** How many times as long a transaction takes as one without an event by the same kind of client, if that was measured. */
    Optional<Double> timesWithoutEvent(Append append) {
        String none = WITH_SPRING.contains(append.system()) ? STARTER_NO_EVENT : NO_EVENT;
        return append(none).map(without -> without.rate() / append.rate());
    }

    public List<Variation> variations(String part, String what) {
        return variations.stream()
                .filter(each -> each.part().equals(part) && each.what().equals(what))
                .toList();
    }
}
