package dev.waybill.bench;

import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Variation;
import dev.waybill.bench.results.ResultsFolder;
import dev.waybill.bench.results.ResultsText;
import dev.waybill.bench.systems.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One run over all systems, part by part; the results are in a folder of their own in the end. */
final class Comparing {
    private static final int LOW_RATE = 500;
    private static final List<Integer> BACKLOGS = List.of(10_000, 100_000, 1_000_000, 10_000_000);

    private final Scale scale;
    private final Path results;
    private final String heap;
    private List<Drain> drains = List.of();
    private final List<Latency> latencies = new ArrayList<>();
    private List<Append> appends = List.of();
    private final List<Variation> variations = new ArrayList<>();

    /** In lower case on the command line. */
    enum Part {
        drain,
        latency,
        append,
        growth,
        distance
    }

    /**
     * How much is measured.
     *
     * @param events that fast systems drain
     * @param rounds measured after one to warm up
     * @param latencySeconds of each system at each rate
     * @param appendTime of each system in each round
     * @param largestBacklog of the growth
     */
    record Scale(int events, int rounds, int latencySeconds, Duration appendTime, int largestBacklog) {
        /** Some minutes; the figures are rough. */
        static final Scale QUICK = new Scale(200_000, 1, 5, Duration.ofSeconds(2), 100_000);

        static final Scale WHOLE = new Scale(3_000_000, 5, 30, Duration.ofSeconds(10), 10_000_000);

        /** With another number of events or rounds, unless that is 0. */
        Scale with(int otherEvents, int otherRounds) {
            return new Scale(
                    otherEvents > 0 ? otherEvents : events,
                    otherRounds > 0 ? otherRounds : rounds,
                    latencySeconds,
                    appendTime,
                    largestBacklog);
        }
    }

    Comparing(Scale scale, Path results, String heap) {
        this.scale = scale;
        this.results = results;
        this.heap = heap;
    }

    void run(List<Part> parts, String command) throws IOException, SQLException, InterruptedException {
        Files.createDirectories(results);
        Instant begun = Instant.now();
        try (Servers servers = Servers.start();
                Comparison comparison = Lineup.open(BenchStage.prepare(servers, results), heap, Machine.checkout())) {
            for (Part part : parts) {
                Progress.say("%s (%s so far) …", part, elapsed(begun));
                measure(part, comparison);
            }
            Results all = new Results(
                    begun.truncatedTo(ChronoUnit.SECONDS).toString(),
                    command,
                    Machine.describe(),
                    Machine.settings(scale, heap),
                    comparison.systems(),
                    drains,
                    latencies,
                    appends,
                    variations);
            ResultsFolder.write(all, results);
            System.out.print(ResultsText.of(all));
            System.out.printf(Locale.ROOT, "results: %s (%s)%n", results, elapsed(begun));
        }
    }

    private static String elapsed(Instant begun) {
        Duration time = Duration.between(begun, Instant.now());
        return String.format(Locale.ROOT, "%d:%02d minutes", time.toMinutes(), time.toSecondsPart());
    }

    private void measure(Part part, Comparison comparison) throws SQLException, InterruptedException {
        switch (part) {
            case drain -> drains = comparison.drain(Lineup.draining(), scale.events(), scale.rounds());
            case latency -> latency(comparison);
            case append ->
                appends = comparison.append(Lineup.appending(), scale.appendTime(), Math.min(3, scale.rounds()));
            case growth -> growth(comparison);
            case distance -> throw new UnsupportedOperationException("distance");
        }
    }

    private void latency(Comparison comparison) throws SQLException, InterruptedException {
        latencies.addAll(comparison.latency(Lineup.relays(), scale.latencySeconds(), system -> LOW_RATE));
    }

    private void growth(Comparison comparison) throws SQLException, InterruptedException {
        for (int backlog : BACKLOGS) {
            if (backlog <= scale.largestBacklog()) {
                for (Drain drain : comparison.drain(
                        List.of(OwnSystem.OVERLAPPED.label, OwnSystem.JOURNAL.label), backlog, scale.rounds())) {
                    variations.add(new Variation(
                            "backlog", String.format(Locale.ROOT, "%,d", backlog), drain.system(), drain.rate()));
                }
            }
        }
    }
}
