package dev.waybill.bench;

import dev.waybill.bench.Gathered.PartRun;
import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
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
import java.util.HashSet;
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
    static final Set<String> NO_FAILURE = Set.of(Lineup.NOT_BUILT, Lineup.NO_MAXIMUM);

    private final Scale scale;
    private final Path results;
    private final String heap;
    /** Read once: the checkout may change while the run goes on. */
    private final String version = Machine.checkout();

    private final Instant begun = Instant.now();
    private final Set<String> measured = new HashSet<>();
    private boolean failed;
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

    /** @return whether everything was measured, except systems that are not built and were not named */
    boolean run(List<Part> parts, String command) throws IOException, SQLException, InterruptedException {
        Files.createDirectories(results);
        Optional<Results> earlier = ResultsFolder.readIfThere(results);
        if (earlier.isPresent()) {
            requireSame(earlier.get());
        }
        Gathered gathered = earlier.map(Gathered::new).orElseGet(() -> new Gathered(date()));
        for (Part part : parts) {
            requireAll(part, gathered);
        }
        try {
            run(parts, command, gathered);
        } finally {
            Ending.waitIfBegun();
            System.out.print(ResultsText.of(gathered.results()));
        }
        System.out.printf(Locale.ROOT, "results: %s (%s)%n", results, elapsed());
        return hasSucceeded();
    }

    /** A system that was named must have been measured in one of the parts. */
    boolean hasSucceeded() {
        return !failed && measured.containsAll(only);
    }

    /** Parts of other machines and settings cannot stand beside those of this run. */
    private void requireSame(Results earlier) throws IOException {
        Map<String, String> settings = Machine.settings(scale, List.of(), heap);
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

    /** What would not be measured again could not stand beside what is. */
    void requireAll(Part part, Gathered earlier) throws IOException {
        Set<String> lost = earlier.systemsOf(part);
        lost.removeAll(wanted(List.copyOf(Lineup.of(part, scale.thorough()))));
        if (!lost.isEmpty()) {
            throw new IOException(results + " has results of the part " + part + " of " + String.join(", ", lost)
                    + ", which would not be measured again. The results of one part are of one run, because its ratios"
                    + " compare them. Measure these too, or give another folder with --results.");
        }
    }

    private void run(List<Part> parts, String command, Gathered gathered)
            throws IOException, SQLException, InterruptedException {
        try (Servers servers = Servers.start();
                Comparison comparison = open(servers)) {
            for (Part part : parts) {
                Progress.say("%s (%s so far) …", part, elapsed());
                Gathered ofPart = measure(part, comparison, gathered);
                Ending.waitIfBegun();
                PartRun run = new PartRun(date(), version, command, Machine.settings(scale, List.of(part), heap));
                keep(part, run, ofPart, gathered);
                ResultsFolder.write(gathered.results(), results);
            }
        }
    }

    void keep(Part part, PartRun run, Gathered ofPart, Gathered gathered) {
        Set<String> lost = gathered.replace(part, run, ofPart);
        if (!lost.isEmpty()) {
            Progress.say(
                    "%s: its earlier results stay, because not all of it was measured again for %s",
                    part, String.join(", ", lost));
        }
        failed |= !lost.isEmpty() || ofPart.failures().findAny().isPresent();
        measured.addAll(ofPart.systemsOf(part));
    }

    Comparison open(Servers servers) throws SQLException {
        return Lineup.open(BenchStage.prepare(servers, results), heap, version);
    }

    private String date() {
        return begun.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private String elapsed() {
        Duration time = Duration.between(begun, Instant.now());
        return String.format(Locale.ROOT, "%d:%02d minutes", time.toMinutes(), time.toSecondsPart());
    }

    /** A part that fails as a whole is noted, and the run goes on. */
    private Gathered measure(Part part, Comparison comparison, Gathered before) throws InterruptedException {
        comparison.begin(part.name());
        Gathered gathered = new Gathered(date());
        try {
            switch (part) {
                case drain ->
                    gathered.drains.addAll(comparison.drain(
                            wanted(Lineup.draining()), DrainPlan.of(scale.events()), scale.warmDrains()));
                case append ->
                    gathered.appends.addAll(
                            comparison.append(wanted(Lineup.appending()), scale.appendTime(), scale.appends()));
                case latency -> latency(comparison, before, gathered);
                case distance -> new FarServers(this, gathered).measure();
                case growth -> new Growth(this, comparison, gathered).measure();
            }
        } catch (SQLException | RuntimeException e) {
            Progress.say("%s failed: %s", part, e);
            gathered.missing(List.of(new Missing(part.name(), Gathered.EVERYTHING, e.toString())));
        }
        gathered.systems(comparison.systems());
        gathered.missing(comparison.missing().stream()
                .filter(missing -> missing.part().equals(part.name()))
                .toList());
        return gathered;
    }

    /** @param before with the maxima of the systems, if they were measured */
    private void latency(Comparison comparison, Gathered before, Gathered gathered)
            throws SQLException, InterruptedException {
        gathered.latencies.addAll(
                comparison.latency(wanted(Lineup.latent()), scale.latencySeconds(), system -> Results.LOW_RATE));
        if (!scale.thorough()) {
            return;
        }
        Map<Boolean, List<String>> withMaximum = gathered.latencies.stream()
                .map(Latency::system)
                .collect(Collectors.partitioningBy(system -> halfOfMaximum(before, system) > 0));
        withMaximum
                .getOrDefault(false, List.of())
                .forEach(system ->
                        gathered.missing(List.of(new Missing(Part.latency.name(), system, Lineup.NO_MAXIMUM))));
        gathered.latencies.addAll(comparison.latency(
                withMaximum.getOrDefault(true, List.of()),
                scale.latencySeconds(),
                system -> halfOfMaximum(before, system)));
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
