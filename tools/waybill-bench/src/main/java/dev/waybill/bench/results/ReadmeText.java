package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What the README says about speed: between two marks, so that it is written anew with the page about benchmarks. */
public final class ReadmeText {
    private static final String BEGIN =
            "<!-- figures of docs/benchmarks/results.json, written by ./waybill bench page: begin -->\n";
    private static final String END = "<!-- figures: end -->\n";

    private final Results results;
    private final Map<String, Figure> figures;

    private ReadmeText(Results results) {
        this.results = results;
        this.figures = Ratios.of(results);
    }

    /**
     * The README with what these results say.
     *
     * @return empty if it has no place for them, or something that it says was not measured
     */
    public static Optional<String> in(String readme, Results results) {
        int begin = readme.indexOf(BEGIN);
        int end = readme.indexOf(END);
        return begin < 0 || end < begin
                ? Optional.empty()
                : new ReadmeText(results)
                        .paragraph()
                        .map(text -> readme.substring(0, begin) + BEGIN + text + readme.substring(end));
    }

    /** The README without what it says about speed. */
    public static String without(String readme) {
        int begin = readme.indexOf(BEGIN);
        int end = readme.indexOf(END);
        return begin < 0 || end < begin ? readme : readme.substring(0, begin) + readme.substring(end);
    }

    private Optional<String> paragraph() {
        List<String> needed = List.of("ratio-to-debezium", "latency-p50-ms", "latency-p99-ms");
        Optional<Latency> elsewhere = latency(Results.NOT_WOKEN);
        Optional<Drain> journal = results.drain(Results.JOURNAL);
        Optional<Drain> debezium = results.drain(Results.DEBEZIUM);
        Optional<Drain> table = results.drain(Results.TABLE);
        if (!figures.keySet().containsAll(needed)
                || Stream.of(elsewhere, journal, debezium, table).anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                """
                **How fast.** On two processors that PostgreSQL and Kafka share with it, a relay drains %,.0f events a second from the journal,
                %s times the rate of Debezium Engine (drains of %,d and %,d events), and %,.0f events a second from a table whose
                rows it marks. From commit to consumer, at %d events a second, it is p50 %s ms and p99 %s ms with a relay in the process that
                appends, which wakes it, and p50 %.1f ms and p99 %.1f ms with one in another process.
                `./waybill bench` measures it beside other outboxes: [benchmarks](docs/benchmarks.md)%s.
                """,
                journal.orElseThrow().rate(),
                text("ratio-to-debezium"),
                journal.orElseThrow().events(),
                debezium.orElseThrow().events(),
                table.orElseThrow().rate(),
                Results.LOW_RATE,
                text("latency-p50-ms"),
                text("latency-p99-ms"),
                elsewhere.orElseThrow().at(0.5),
                elsewhere.orElseThrow().at(0.99),
                Ratios.missGoals(results) ? ", with the goals that are not reached" : ""));
    }

    private String text(String figure) {
        return Objects.requireNonNull(figures.get(figure)).text();
    }

    private Optional<Latency> latency(String system) {
        return results.latencies().stream()
                .filter(latency -> latency.system().equals(system) && latency.rate() == Results.LOW_RATE)
                .findFirst();
    }
}
