package dev.waybill.bench;

import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Missing;
import dev.waybill.bench.results.ResultsFolder;
import dev.waybill.bench.results.ResultsText;
import dev.waybill.bench.servers.Progress;
import dev.waybill.bench.servers.Servers;
import dev.waybill.bench.systems.Comparison;
import dev.waybill.bench.systems.DrainPlan;
import dev.waybill.bench.systems.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * One run over all systems, part by part. The results are written after every part. A folder that has results of earlier runs keeps
 * those of the parts that are not measured again.
 */
final class Comparing {
    /** Reasons for what is missing that are no failures. */
    private static final Set<String> NO_FAILURE = Set.of(Lineup.NOT_BUILT, Lineup.NO_MAXIMUM);

    private final Scale scale;
    private final Path results;
    private final String heap;
    private List<String> only = List.of();

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

    List<String> wanted(List<String> systems) {
        return systems.stream()
                .filter(system -> only.isEmpty() || only.contains(system))
                .toList();
    }

    Scale scale() {
        return scale;
    }

    /** @return whether everything was measured, except systems that are not built */
    boolean run(List<Part> parts, String command) throws IOException, SQLException, InterruptedException {
        Files.createDirectories(results);
        Instant begun = Instant.now();
        Optional<Results> earlier = ResultsFolder.readIfThere(results);
        Map<String, String> settings = Machine.settings(scale, parts, heap);
        if (earlier.isPresent()) {
            requireSame(earlier.get(), settings);
        }
        Gathered gathered = earlier.map(Gathered::new).orElseGet(Gathered::new);
        gathered.command(command);
        gathered.settings(settings);
        try {
            run(parts, begun, gathered);
        } finally {
            Ending.waitIfBegun();
            System.out.print(ResultsText.of(gathered.results(date(begun))));
        }
        System.out.printf(Locale.ROOT, "results: %s (%s)%n", results, elapsed(begun));
        return gathered.results(date(begun)).missing().stream()
                .filter(missing -> parts.contains(Part.valueOf(missing.part())))
                .allMatch(missing -> NO_FAILURE.contains(missing.reason()));
    }

    /** Parts of other machines and settings cannot stand beside those of this run. */
    private void requireSame(Results earlier, Map<String, String> settings) throws IOException {
        Set<String> names = Arrays.stream(Part.values()).map(Part::name).collect(Collectors.toSet());
        List<String> others = earlier.settings().entrySet().stream()
                .filter(each -> !names.contains(each.getKey()))
                .filter(each -> !each.getValue().equals(settings.get(each.getKey())))
                .map(Map.Entry::getKey)
                .toList();
        if (!earlier.machine().equals(Machine.describe()) || !others.isEmpty()) {
            throw new IOException(results + " has results of another machine or with other settings"
                    + (others.isEmpty() ? "" : " (" + String.join(", ", others) + ")")
                    + ". Give another folder with --results.");
        }
    }

    private void run(List<Part> parts, Instant begun, Gathered gathered)
            throws IOException, SQLException, InterruptedException {
        try (Servers servers = Servers.start();
                Comparison comparison = open(servers)) {
            for (Part part : parts) {
                Progress.say("%s (%s so far) …", part, elapsed(begun));
                gathered.begin(part, date(begun) + ", version " + Machine.checkout());
                measure(part, comparison, gathered);
                gathered.systems(comparison.systems());
                gathered.missing(comparison.missing());
                Ending.waitIfBegun();
                ResultsFolder.write(gathered.results(date(begun)), results);
            }
        }
    }

    Comparison open(Servers servers) throws SQLException {
        return Lineup.open(BenchStage.prepare(servers, results), heap, Machine.checkout());
    }

    private static String date(Instant begun) {
        return begun.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String elapsed(Instant begun) {
        Duration time = Duration.between(begun, Instant.now());
        return String.format(Locale.ROOT, "%d:%02d minutes", time.toMinutes(), time.toSecondsPart());
    }

    /** A part that fails as a whole is noted, and the run goes on. */
    private void measure(Part part, Comparison comparison, Gathered gathered) throws InterruptedException {
        comparison.begin(part.name());
        try {
            switch (part) {
                case drain ->
                    gathered.drains.addAll(comparison.drain(
                            wanted(Lineup.draining()), DrainPlan.of(scale.events()), scale.warmDrains()));
                case append ->
                    gathered.appends.addAll(
                            comparison.append(wanted(Lineup.appending()), scale.appendTime(), scale.appends()));
                case latency -> latency(comparison, gathered);
                case distance -> new FarServers(this, gathered).measure();
                case growth -> new Growth(this, comparison, gathered).measure();
            }
        } catch (SQLException | RuntimeException e) {
            Progress.say("%s failed: %s", part, e);
            gathered.missing(
                    List.of(new Missing(part.name(), "everything that was not measured before", e.toString())));
        }
    }

    private void latency(Comparison comparison, Gathered gathered) throws SQLException, InterruptedException {
        List<String> systems = wanted(Lineup.latent());
        gathered.latencies.addAll(comparison.latency(systems, scale.latencySeconds(), system -> Results.LOW_RATE));
        if (!scale.thorough()) {
            return;
        }
        systems.stream()
                .filter(system -> halfOfMaximum(gathered, system) == 0)
                .forEach(system ->
                        gathered.missing(List.of(new Missing(Part.latency.name(), system, Lineup.NO_MAXIMUM))));
        gathered.latencies.addAll(comparison.latency(
                systems.stream()
                        .filter(system -> halfOfMaximum(gathered, system) > 0)
                        .toList(),
                scale.latencySeconds(),
                system -> halfOfMaximum(gathered, system)));
    }

    /** Half of what the system appends and drains, whichever is less; 0 if that was not measured. */
    private static int halfOfMaximum(Gathered gathered, String system) {
        double appended = rateOf(gathered.appends, Append::system, appendedAs(system), Append::rate);
        double drained = rateOf(gathered.drains, Drain::system, drainedAs(system), Drain::rate);
        return (int) (Math.min(appended, drained) / 2);
    }

    /** Appending does not depend on what happens to events later. */
    private static String appendedAs(String system) {
        return switch (system) {
            case Results.EXACTLY_ONCE, Results.NOT_WOKEN -> Results.JOURNAL;
            case Results.TABLE_DELETING -> Results.TABLE;
            default -> system;
        };
    }

    /** A backlog needs no signal. */
    private static String drainedAs(String system) {
        return system.equals(Results.NOT_WOKEN) ? Results.JOURNAL : system;
    }

    private static <T> double rateOf(
            List<T> measured, Function<T, String> name, String system, ToDoubleFunction<T> rate) {
        return measured.stream()
                .filter(each -> name.apply(each).equals(system))
                .mapToDouble(rate)
                .findFirst()
                .orElse(0);
    }
}
