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
import java.util.List;
import java.util.Map;

/** What has been measured so far, in this run and in earlier ones into the same folder. */
final class Gathered {
    private final Map<String, String> parts = new LinkedHashMap<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, Measured> systems = new LinkedHashMap<>();
    private final List<Missing> missing = new ArrayList<>();
    final List<Drain> drains = new ArrayList<>();
    final List<Latency> latencies = new ArrayList<>();
    final List<Append> appends = new ArrayList<>();
    private final List<Variation> variations = new ArrayList<>();
    final List<DistantLatency> distantLatencies = new ArrayList<>();
    final List<Consumed> inbox = new ArrayList<>();
    private String command = "";

    Gathered() {}

    Gathered(Results earlier) {
        command = earlier.command();
        parts.putAll(earlier.parts());
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
     * A part is measured again, or for the first time: what was measured of it is forgotten.
     *
     * @param run its date and version
     */
    void begin(Part part, String run) {
        String name = part.name();
        parts.put(name, run);
        missing.removeIf(each -> each.part().equals(name));
        variations.removeIf(each -> each.part().equals(name));
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

    /** The command of this run; those of earlier ones stay. */
    void command(String ofThisRun) {
        if (!command.equals(ofThisRun)) {
            command = command.isEmpty() ? ofThisRun : command + "; " + ofThisRun;
        }
    }

    void settings(Map<String, String> ofThisRun) {
        settings.putAll(ofThisRun);
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

    Results results(String date) {
        return new Results(
                date,
                command,
                Machine.describe(),
                new LinkedHashMap<>(parts),
                new LinkedHashMap<>(settings),
                List.copyOf(systems.values()),
                List.copyOf(missing),
                List.copyOf(drains),
                List.copyOf(latencies),
                List.copyOf(appends),
                List.copyOf(variations),
                List.copyOf(distantLatencies),
                List.copyOf(inbox));
    }
}
