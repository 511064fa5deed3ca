package dev.waybill.bench;

import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.DistantLatency;
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
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** One run over all systems, part by part; the results are in a folder of their own in the end. */
final class Comparing {
    private static final int LOW_RATE = 500;
    private static final List<Integer> BACKLOGS = List.of(10_000, 100_000, 1_000_000, 10_000_000);

    private final Scale scale;
    private final Path results;
    private final String heap;
    private List<String> only = List.of();
    private List<Drain> drains = List.of();
    private final List<Latency> latencies = new ArrayList<>();
    private List<Append> appends = List.of();
    private final List<Variation> variations = new ArrayList<>();
    private final List<DistantLatency> distantLatencies = new ArrayList<>();

    /** In lower case on the command line. */
    enum Part {
        drain,
        append,
        latency,
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

    /** @param systems the names of those to measure; none for all */
    Comparing only(List<String> systems) {
        only = List.copyOf(systems);
        return this;
    }

    private List<String> wanted(List<String> systems) {
        return systems.stream()
                .filter(system -> only.isEmpty() || only.contains(system))
                .toList();
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
                    variations,
                    distantLatencies);
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
            case drain -> drains = comparison.drain(wanted(Lineup.draining()), scale.events(), scale.rounds());
            case latency -> latency(comparison);
            case append ->
                appends =
                        comparison.append(wanted(Lineup.appending()), scale.appendTime(), Math.min(3, scale.rounds()));
            case growth -> growth(comparison);
            case distance -> {
                distance(Distance.DATABASE);
                distance(Distance.BROKER);
            }
        }
    }

    private void latency(Comparison comparison) throws SQLException, InterruptedException {
        latencies.addAll(comparison.latency(wanted(Lineup.relays()), scale.latencySeconds(), system -> LOW_RATE));
        latencies.addAll(comparison.latency(
                wanted(Lineup.relays()).stream()
                        .filter(system -> halfOfMaximum(system) > LOW_RATE)
                        .toList(),
                scale.latencySeconds(),
                this::halfOfMaximum));
    }

    /** Half of what the system appends and drains, whichever is less; 0 if that was not measured in this run. */
    private int halfOfMaximum(String system) {
        double appended = rateOf(appends, Append::system, system, Append::rate);
        double drained = rateOf(drains, Drain::system, system, Drain::rate);
        return (int) (Math.min(appended, drained) / 2);
    }

    private static <T> double rateOf(
            List<T> measured, Function<T, String> name, String system, ToDoubleFunction<T> rate) {
        return measured.stream()
                .filter(each -> name.apply(each).equals(system))
                .mapToDouble(rate)
                .findFirst()
                .orElse(0);
    }

    /** On servers of its own, one of them behind a slower link. */
    private void distance(Distance far) throws SQLException, InterruptedException {
        String value = far.label + " " + Distance.ROUND_TRIP.toMillis() + " ms away";
        try (Servers servers = Servers.start(far);
                Comparison comparison = Lineup.open(BenchStage.prepare(servers, results), heap, Machine.checkout())) {
            for (Drain drain : comparison.drain(wanted(Lineup.distant()), scale.events() / 10, 1)) {
                variations.add(new Variation("distance", value, drain.system(), drain.rate()));
            }
            for (Latency latency :
                    comparison.latency(wanted(Lineup.relays()), scale.latencySeconds(), system -> LOW_RATE)) {
                distantLatencies.add(new DistantLatency(value, latency));
            }
        }
    }

    private void growth(Comparison comparison) throws SQLException, InterruptedException {
        for (int backlog : BACKLOGS) {
            if (backlog <= scale.largestBacklog()) {
                for (Drain drain : comparison.drain(
                        wanted(List.of(OwnSystem.OVERLAPPED.label, OwnSystem.JOURNAL.label)),
                        backlog,
                        scale.rounds())) {
                    variations.add(new Variation(
                            "backlog", String.format(Locale.ROOT, "%,d", backlog), drain.system(), drain.rate()));
                }
            }
        }
    }
}
