package dev.waybill.bench.systems;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Measured;
import dev.waybill.bench.results.Results.Missing;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.KafkaException;

/**
 * Measures systems in turns, round by round, each in its own process, which stays for the whole run so that it is warm. A system
 * that fails is left out from then on; the reason is in the results.
 */
public final class Comparison implements AutoCloseable {
    private final Stage stage;
    private final Map<String, SystemSpec> specs = new LinkedHashMap<>();
    private final Map<String, RunningSystem> running = new LinkedHashMap<>();
    private final Map<String, String> absent = new LinkedHashMap<>();
    private final Set<String> leftOut = new HashSet<>();
    private final List<Missing> missing = new ArrayList<>();
    private final Topics topics;
    private final Consumer<String> progress;
    private String part = "";

    /** @param progress told what happens, a line at a time */
    public Comparison(Stage stage, int partitions, List<SystemSpec> systems, Consumer<String> progress) {
        this.stage = stage;
        this.topics = new Topics(stage.bootstrapServers(), partitions);
        this.progress = progress;
        systems.forEach(system -> specs.put(system.name(), system));
    }

    /** A system that cannot even be started: it is missing in every part that is to measure it. */
    public void absent(String system, String reason) {
        absent.put(system, reason);
    }

    /** Another part of the run begins. A system that failed in an earlier one gets another chance. */
    public void begin(String name) {
        part = name;
        leftOut.clear();
    }

    private void leaveOut(String system, String reason) {
        leftOut.add(system);
        missing.add(new Missing(part, system, reason));
        progress.accept(system + " is not measured: " + reason);
    }

    private interface Round<T> {
        T measure(RunningSystem system) throws SystemFailedException, SQLException, InterruptedException;
    }

    private boolean isLeftOut(String system) {
        String reason = absent.get(system);
        if (reason != null && !leftOut.contains(system)) {
            leaveOut(system, reason);
        }
        return leftOut.contains(system);
    }

    /** Results of one system, round by round; none if it failed. */
    private <T> Optional<T> attempt(String name, Round<T> round) throws SQLException, InterruptedException {
        SystemSpec spec = specs.get(name);
        if (isLeftOut(name) || spec == null) {
            return Optional.empty();
        }
        try {
            RunningSystem system = running.get(name);
            if (system == null) {
                system = RunningSystem.start(spec, stage);
                running.put(name, system);
            }
            return Optional.of(round.measure(system));
        } catch (SystemFailedException | SQLException | KafkaException e) {
            String reason = e instanceof SystemFailedException ? String.valueOf(e.getMessage()) : name + ": " + e;
            leaveOut(name, reason);
            progress.accept("The log of " + name + " is " + RunningSystem.log(spec, stage));
            RunningSystem failed = running.remove(name);
            if (failed != null) {
                failed.close();
            }
            return Optional.empty();
        }
    }

    /** Every second round has the reverse order: no system always comes after the same one. */
    private <T> Map<String, List<T>> inTurns(List<String> systems, Rounds rounds, Round<T> round)
            throws SQLException, InterruptedException {
        Map<String, List<T>> all = new LinkedHashMap<>();
        for (int number = 1; number <= rounds.all(); number++) {
            List<String> order = new ArrayList<>(systems);
            if (number % 2 == 0) {
                Collections.reverse(order);
            }
            for (String system : order) {
                Optional<T> result = attempt(system, round);
                if (result.isPresent()) {
                    progress.accept(
                            String.format(Locale.ROOT, "%s: %-22s %s", rounds.name(number), system, result.get()));
                    if (rounds.counts(number)) {
                        all.computeIfAbsent(system, s -> new ArrayList<>()).add(result.get());
                    }
                }
            }
        }
        Map<String, List<T>> measured = new LinkedHashMap<>();
        systems.stream()
                .filter(system -> all.containsKey(system) && !leftOut.contains(system))
                .forEach(system -> measured.put(system, all.get(system)));
        return measured;
    }

    public List<Drain> drain(List<String> systems, DrainPlan plan, Rounds rounds)
            throws SQLException, InterruptedException {
        DrainRound round = new DrainRound(stage, topics);
        List<Drain> drains = new ArrayList<>();
        inTurns(systems, rounds, system -> round.measure(system, plan))
                .forEach((system, measured) -> drains.add(DrainRound.Figures.together(system, measured)));
        return drains;
    }

    /** Each system drains one backlog after the other until the time has passed, so that compilers do not decide what follows. */
    public void warmUp(List<String> systems, DrainPlan plan, Duration each) throws SQLException, InterruptedException {
        DrainRound round = new DrainRound(stage, topics);
        for (String name : systems) {
            long begun = System.nanoTime();
            boolean failed = false;
            while (!failed && System.nanoTime() - begun < each.toNanos()) {
                Optional<DrainRound.Figures> figures = attempt(name, system -> round.measure(system, plan));
                figures.ifPresent(result -> progress.accept(String.format("warm-up: %-22s %s", name, result)));
                failed = figures.isEmpty();
            }
        }
    }

    /** Without rounds: every event is a measurement. Each system is warmed up for a third of the time. */
    public List<Latency> latency(List<String> systems, int seconds, ToIntFunction<String> rate)
            throws SQLException, InterruptedException {
        LatencyRound round = new LatencyRound(stage, topics);
        List<Latency> latencies = new ArrayList<>();
        for (String name : systems) {
            if (isLeftOut(name)) {
                continue;
            }
            int atRate = rate.applyAsInt(name);
            progress.accept(String.format(
                    Locale.ROOT, "latency of %s at %,d/s, %d s after %d s …", name, atRate, seconds, 1 + seconds / 3));
            attempt(name, system -> round.measure(system, atRate, atRate * (1 + seconds / 3), seconds))
                    .ifPresent(latencies::add);
        }
        return latencies;
    }

    public List<Append> append(List<String> systems, Duration time, Rounds rounds)
            throws SQLException, InterruptedException {
        List<Append> appends = new ArrayList<>();
        inTurns(systems, rounds, system -> {
                    system.tell("prepare 0");
                    String rate = system.tell("append " + time.toMillis());
                    system.tell("stop");
                    return new PerSecond(Double.parseDouble(rate));
                })
                .forEach((system, rates) -> appends.add(
                        new Append(system, rates.stream().map(PerSecond::rate).toList())));
        return appends;
    }

    /** Prints as a rate. */
    private record PerSecond(double rate) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%,10.0f/s", rate);
        }
    }

    /** The systems that run, with what they are. */
    public List<Measured> systems() {
        return running.values().stream()
                .map(system -> new Measured(system.name(), system.spec().version(), system.description()))
                .toList();
    }

    /** What was not measured. */
    public List<Missing> missing() {
        return List.copyOf(missing);
    }

    @Override
    public void close() {
        running.values().forEach(RunningSystem::close);
        topics.close();
    }
}
