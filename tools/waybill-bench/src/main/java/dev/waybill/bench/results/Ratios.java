package dev.waybill.bench.results;

import dev.waybill.bench.results.Figure.Goal;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The figures that readers compare, by name. Those whose systems were not measured are not there. */
public final class Ratios {
    private static final Map<String, Goal> GOALS = Map.of(
            "ratio-to-overlapped-pipe",
            Goal.atLeast("0.95"),
            "ratio-to-debezium",
            Goal.atLeast(Integer.toString(Results.DEBEZIUM_GOAL)),
            "table-ratio-to-pipe",
            Goal.atLeast("0.45"),
            "table-deleting-ratio-to-pipe",
            Goal.atLeast("0.45"),
            "cpu-ratio",
            Goal.atMost("1.15"),
            "append-ratio",
            Goal.atLeast("0.95"),
            "latency-p50-ms",
            Goal.atMost("2"),
            "latency-p99-ms",
            Goal.atMost("10"),
            "backlog-flatness",
            Goal.atLeast("0.90"),
            "retained-ratio",
            Goal.atLeast("0.90"));

    private final Results results;
    private final Map<String, Figure> figures = new LinkedHashMap<>();

    private Ratios(Results results) {
        this.results = results;
    }

    static Map<String, Figure> of(Results results) {
        Ratios ratios = new Ratios(results);
        ratios.drains();
        ratios.appends();
        ratios.latencies();
        ratios.growth();
        return ratios.figures;
    }

    static boolean missGoals(Results results) {
        return of(results).values().stream().anyMatch(Figure::misses);
    }

    private void drains() {
        ratio("ratio-to-overlapped-pipe", Results.JOURNAL, Results.OVERLAPPED);
        ratio("ratio-to-pipe", Results.JOURNAL, Results.PIPE);
        ratio("ratio-to-raw", Results.JOURNAL, Results.RAW);
        ratio("ratio-to-debezium", Results.JOURNAL, Results.DEBEZIUM);
        ratio("table-ratio-to-pipe", Results.TABLE, Results.PIPE);
        ratio("table-deleting-ratio-to-pipe", Results.TABLE_DELETING, Results.PIPE);
        ratio("table-ratio-to-debezium", Results.TABLE, Results.DEBEZIUM);
        ratio("exactly-once-ratio", Results.EXACTLY_ONCE, Results.JOURNAL);
        Optional<Drain> journal = results.drain(Results.JOURNAL);
        Optional<Drain> limit = results.drain(Results.OVERLAPPED);
        if (journal.isPresent() && limit.isPresent() && limit.get().cpu() > 0) {
            put("cpu-ratio", 2, journal.get().cpu() / limit.get().cpu());
        }
    }

    private void ratio(String name, String of, String to) {
        Optional<Drain> above = results.drain(of);
        Optional<Drain> below = results.drain(to);
        if (above.isPresent() && below.isPresent()) {
            put(name, 2, Median.ofRatios(above.get().rates(), below.get().rates()));
        }
    }

    private void appends() {
        appendRatio("append-ratio", Results.JOURNAL, Results.SMALLEST_INSERT);
        appendRatio("append-sql-ratio", Results.JOURNAL_SQL, Results.SMALLEST_INSERT);
        appendRatio("append-starter-ratio", Results.STARTER, Results.STARTER_NO_EVENT);
    }

    private void appendRatio(String name, String of, String to) {
        Optional<Append> above = results.append(of);
        Optional<Append> below = results.append(to);
        if (above.isPresent() && below.isPresent()) {
            put(name, 2, Median.ofRatios(above.get().rates(), below.get().rates()));
        }
    }

    /** The journal's slowest drain against its fastest, over all backlogs; and with published events still stored. */
    private void growth() {
        List<Double> backlogs = journalRates("backlog");
        if (backlogs.size() > 1) {
            put("backlog-flatness", 2, Collections.min(backlogs) / Collections.max(backlogs));
        }
        List<Double> retained = journalRates("retained");
        if (retained.size() > 1) {
            put("retained-ratio", 2, retained.get(retained.size() - 1) / retained.get(0));
        }
    }

    private List<Double> journalRates(String what) {
        return results.variations("growth", what).stream()
                .filter(each -> each.drain().system().equals(Results.JOURNAL))
                .map(each -> each.drain().rate())
                .toList();
    }

    /** Of the journal, at the rate of all systems. */
    private void latencies() {
        results.latencies().stream()
                .filter(latency -> latency.system().equals(Results.JOURNAL) && latency.rate() == Results.LOW_RATE)
                .findFirst()
                .ifPresent((Latency latency) -> {
                    put("latency-p50-ms", 1, latency.at(0.5));
                    put("latency-p99-ms", 1, latency.at(0.99));
                    put("latency-p99.9-ms", 1, latency.at(0.999));
                });
    }

    private void put(String name, int digits, double value) {
        figures.put(name, new Figure(value, digits, GOALS.get(name)));
    }
}
