package dev.waybill.bench.results;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything that one run has measured. Stored as JSON; tables, charts and the page of the documentation are made from it. */
public record Results(
        String date,
        String command,
        Map<String, String> machine,
        Map<String, String> settings,
        List<Measured> systems,
        List<Drain> drains,
        List<Latency> latencies,
        List<Append> appends,
        List<Variation> variations,
        List<DistantLatency> distantLatencies) {

    public static final String JOURNAL = "journal";
    public static final String TABLE = "table";
    public static final String PIPE = "bare pipe";
    public static final String OVERLAPPED = "overlapped pipe";
    public static final String DEBEZIUM = "Debezium Engine";
    public static final String SMALLEST_INSERT = "smallest insert";
    public static final String NO_EVENT = "no event";

    /**
     * A system of the run.
     *
     * @param missing why it was not measured; null if it was
     */
    public record Measured(
            String name,
            String version,
            String settings,
            @Nullable String missing) {}

    /**
     * Draining a backlog: events a second in each round, and what a million events cost (medians of the rounds).
     *
     * @param relayCpu CPU seconds of the system's process for a million events
     * @param databaseCpu CPU seconds of PostgreSQL for a million events
     * @param walBytes written by PostgreSQL for each event
     * @param deadTuples left behind for each event
     */
    public record Drain(
            String system,
            int events,
            List<Double> rates,
            double relayCpu,
            double databaseCpu,
            double walBytes,
            double deadTuples) {
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
        public double at(double quantile) {
            return millis.getOrDefault(quantile, Double.NaN);
        }
    }

    /** Transactions a second with one row and one event, four clients; one rate for each round. */
    public record Append(String system, List<Double> rates) {
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
    public record Variation(String what, String value, String system, double rate) {}

    /** @param link which server is how far away */
    public record DistantLatency(String link, Latency latency) {}

    public Optional<Drain> drain(String system) {
        return drains.stream().filter(each -> each.system().equals(system)).findFirst();
    }

    public Optional<Append> append(String system) {
        return appends.stream().filter(each -> each.system().equals(system)).findFirst();
    }
}
