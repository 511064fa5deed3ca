package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.DistantLatency;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the README says about speed: between two marks, so that it is written anew with the page about benchmarks. */
public final class ReadmeText {
    private static final String BEGIN =
            "<!-- figures of docs/benchmarks/results.json, written by ./waybill bench page: begin -->\n";
    private static final String END = "<!-- figures: end -->\n";

    private static final Set<String> PEERS = Set.of(Results.DEBEZIUM, "Spring Modulith", "namastack", "gruelbox");
    private static final double MEDIAN = 0.5;

    private final Results results;

    private ReadmeText(Results results) {
        this.results = results;
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
        Optional<Latency> here = latency(Results.JOURNAL);
        Optional<Latency> elsewhere = latency(Results.NOT_WOKEN);
        Optional<Drain> journal = results.drain(Results.JOURNAL);
        Optional<Drain> table = results.drain(Results.TABLE);
        Optional<Drain> debezium = results.drain(Results.DEBEZIUM);
        return Stream.of(here, elsewhere, journal, table, debezium).anyMatch(Optional::isEmpty)
                ? Optional.empty()
                : Optional.of(drains(journal.orElseThrow(), table.orElseThrow(), debezium.orElseThrow())
                        + latencies(here.orElseThrow(), elsewhere.orElseThrow())
                        + lowerLatencies(here.orElseThrow()));
    }

    /** The ratio is that of the two rates as they are written, so that a reader who divides them gets it. */
    private static String drains(Drain journal, Drain table, Drain debezium) {
        return String.format(
                Locale.ROOT,
                "- **Draining a backlog:** %,d events/s from the journal, %,d from a table whose rows it marks. Debezium Engine: %,d,"
                        + " so the journal is %.1f times as fast (backlogs of %,d and %,d events).\n",
                Math.round(journal.rate()),
                Math.round(table.rate()),
                Math.round(debezium.rate()),
                (double) Math.round(journal.rate()) / Math.round(debezium.rate()),
                journal.events(),
                debezium.events());
    }

    private static String latencies(Latency here, Latency elsewhere) {
        return String.format(
                Locale.ROOT,
                "- **From commit to consumer,** at %d events/s: p50 %.1f ms and p99 %.1f ms with the relay in the process that appends;"
                        + " p50 %.1f ms and p99 %.1f ms with the relay in another process.\n",
                Results.LOW_RATE,
                here.at(MEDIAN),
                here.at(0.99),
                elsewhere.at(MEDIAN),
                elsewhere.at(0.99));
    }

    private String lowerLatencies(Latency here) {
        List<String> cases = new ArrayList<>();
        lower(here, results.latencies().stream().filter(other -> other.rate() == here.rate()))
                .ifPresent(names -> cases.add("in the process that appends, " + names));
        results.distantLatencies().stream()
                .filter(each -> each.latency().system().equals(Results.JOURNAL))
                .forEach(journal -> lower(
                                journal.latency(),
                                results.distantLatencies().stream()
                                        .filter(other -> other.link().equals(journal.link()))
                                        .map(DistantLatency::latency))
                        .ifPresent(names -> cases.add(String.format(
                                Locale.ROOT,
                                "%s (journal: %.1f ms), %s",
                                journal.link(),
                                journal.latency().at(MEDIAN),
                                names))));
        return cases.isEmpty() ? "" : "- **Others have a lower p50:** " + String.join("; ", cases) + ".\n";
    }

    /** The peers with a lower median than the journal, the lowest first. */
    private static Optional<String> lower(Latency journal, Stream<Latency> others) {
        String names = others.filter(other -> PEERS.contains(other.system()) && other.at(MEDIAN) < journal.at(MEDIAN))
                .sorted(Comparator.comparing(other -> other.at(MEDIAN)))
                .map(other -> String.format(Locale.ROOT, "%s %.1f ms", other.system(), other.at(MEDIAN)))
                .collect(Collectors.joining(", "));
        return Optional.of(names).filter(text -> !text.isEmpty());
    }

    private Optional<Latency> latency(String system) {
        return results.latencies().stream()
                .filter(latency -> latency.system().equals(system) && latency.rate() == Results.LOW_RATE)
                .findFirst();
    }
}
