package dev.waybill.bench;

import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Consumed;
import dev.waybill.bench.results.Results.DistantLatency;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Measured;
import dev.waybill.bench.results.Results.Missing;
import dev.waybill.bench.results.Results.Variation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What has been measured so far, in this run and in earlier ones into the same folder. */
final class Gathered {
    /** What is missing if not a system but the part failed. */
    static final String EVERYTHING = "everything that was not measured before";

    private final Map<String, String> parts = new LinkedHashMap<>();
    private final Map<String, String> commands = new LinkedHashMap<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, Measured> systems = new LinkedHashMap<>();
    private final List<Missing> missing = new ArrayList<>();
    final List<Drain> drains = new ArrayList<>();
    final List<Latency> latencies = new ArrayList<>();
    final List<Append> appends = new ArrayList<>();
    private final List<Variation> variations = new ArrayList<>();
    final List<DistantLatency> distantLatencies = new ArrayList<>();
    final List<Consumed> inbox = new ArrayList<>();

    /**
     * The run in which a part was measured.
     *
     * @param date at which it began
     */
    record PartRun(String date, String version, String command, Map<String, String> settings) {}

    private String date;

    /** Nothing yet, in a run of this date. */
    Gathered(String date) {
        this.date = date;
    }

    Gathered(Results earlier) {
        date = earlier.date();
        parts.putAll(earlier.parts());
        commands.putAll(earlier.commands());
        settings.putAll(earlier.settings());
        earlier.systems().forEach(system -> systems.put(system.name(), system));
        missing.addAll(earlier.missing());
        drains.addAll(earlier.drains());
        latencies.addAll(earlier.latencies());
        appends.addAll(earlier.appends());
        variations.addAll(earlier.variations());
        distantLatencies.addAll(earlier.distantLatencies());
        inbox.addAll(earlier.inbox());
    }

    /**
     * Replaces what is there of a part by what a run has measured of it. If there is something of a system that was not measured again, or
     * failed, all of it stays: the ratios of a part compare systems of one run.
     *
     * @return the systems because of which all of it stays
     */
    Set<String> replace(Part part, PartRun run, Gathered measured) {
        Set<String> failed = measured.failures().map(Missing::system).collect(Collectors.toSet());
        Set<String> lost = systemsOf(part);
        if (!failed.contains(EVERYTHING)) {
            Set<String> again = measured.systemsOf(part);
            again.removeAll(failed);
            lost.removeAll(again);
        }
        if (lost.isEmpty()) {
            forget(part);
            date = run.date();
            parts.put(part.name(), run.date() + ", version " + run.version());
            commands.put(part.name(), run.command());
            settings.putAll(run.settings());
            systems.putAll(measured.systems);
            missing.addAll(measured.missing);
            drains.addAll(measured.drains);
            latencies.addAll(measured.latencies);
            appends.addAll(measured.appends);
            variations.addAll(measured.variations);
            distantLatencies.addAll(measured.distantLatencies);
            inbox.addAll(measured.inbox);
        }
        return lost;
    }

    private void forget(Part part) {
        missing.removeIf(each -> each.part().equals(part.name()));
        variations.removeIf(each -> each.part().equals(part.name()));
        switch (part) {
            case drain -> drains.clear();
            case append -> appends.clear();
            case latency -> latencies.clear();
            case distance -> {
                distantLatencies.clear();
                inbox.clear();
            }
            case growth -> {
                // All of it are variations.
            }
        }
    }

    /** The systems of which there is something in a part. */
    Set<String> systemsOf(Part part) {
        Stream<String> measured = switch (part) {
            case drain -> drains.stream().map(Drain::system);
            case append -> appends.stream().map(Append::system);
            case latency -> latencies.stream().map(Latency::system);
            case distance, growth ->
                variations.stream()
                        .filter(each -> each.part().equals(part.name()))
                        .map(each -> each.drain().system());
        };
        return measured.collect(Collectors.toCollection(LinkedHashSet::new));
    }

    Stream<Missing> failures() {
        return missing.stream().filter(each -> !Comparing.NO_FAILURE.contains(each.reason()));
    }

    void systems(List<Measured> running) {
        running.forEach(system -> systems.put(system.name(), system));
    }

    void missing(List<Missing> notMeasured) {
        notMeasured.stream().filter(each -> !missing.contains(each)).forEach(missing::add);
    }

    void vary(Part part, String what, String value, List<Drain> measured) {
        measured.forEach(drain -> variations.add(new Variation(part.name(), what, value, drain)));
    }

    Results results() {
        return new Results(
                date,
                Machine.describe(),
                new LinkedHashMap<>(parts),
                new LinkedHashMap<>(commands),
                settingsInOrder(),
                List.copyOf(systems.values()),
                List.copyOf(missing),
                List.copyOf(drains),
                List.copyOf(latencies),
                List.copyOf(appends),
                List.copyOf(variations),
                List.copyOf(distantLatencies),
                List.copyOf(inbox));
    }

    /** Those of the parts first. */
    private Map<String, String> settingsInOrder() {
        Map<String, String> ordered = new LinkedHashMap<>();
        for (Part part : Part.values()) {
            String ofPart = settings.get(part.name());
            if (ofPart != null) {
                ordered.put(part.name(), ofPart);
            }
        }
        settings.forEach(ordered::putIfAbsent);
        return ordered;
    }
}
