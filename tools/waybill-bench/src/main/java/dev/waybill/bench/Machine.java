package dev.waybill.bench;

import dev.waybill.bench.kit.Business;
import dev.waybill.bench.results.Results;
import dev.waybill.bench.servers.Servers;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;
import org.postgresql.util.DriverInfo;

/** What a run was measured on and with. Values that a machine does not tell are left out. */
final class Machine {
    /** In flight to a broker at once. More would not keep the order of an idempotent producer. */
    static final int REQUESTS_OF_PEERS = 5;

    private Machine() {}

    static Map<String, String> describe() {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processors", Runtime.getRuntime().availableProcessors() + " processors");
        cpuModel().ifPresent(model -> machine.put("cpu", model));
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("java", "JDK " + System.getProperty("java.version"));
        return machine;
    }

    /** Those of the parts are by their names: they may differ if the parts were measured in several runs. */
    static Map<String, String> settings(Scale scale, List<Part> parts, String heap) {
        Map<String, String> settings = new LinkedHashMap<>();
        parts.forEach(part -> settings.put(part.name(), sizes(part, scale)));
        settings.put("keys", String.format(Locale.ROOT, "%,d", Business.KEYS));
        settings.put(
                "PostgreSQL",
                "18 embedded, fsync on, shared_buffers 512 MB, wal_level logical, logical_decoding_work_mem 256 MB, loopback");
        settings.put(
                "Kafka",
                AppInfoParser.getVersion() + " embedded, one broker, " + Servers.PARTITIONS
                        + " partitions, acks all, lz4, the same producer properties for every system, but one request in flight for those"
                        + " of this project, " + REQUESTS_OF_PEERS + " for the others");
        settings.put("drivers", "pgjdbc " + DriverInfo.DRIVER_VERSION);
        settings.put("heap", heap + " for systems of this project, 1 GB for the others");
        return settings;
    }

    private static String sizes(Part part, Scale scale) {
        return switch (part) {
            case drain ->
                String.format(
                        Locale.ROOT,
                        "%,d events for fast systems, a third for the tables, a tenth for Debezium, a two-hundredth but at"
                                + " least 1,000 for the other peers; medians of rounds in turns (%d) after warm-ups of the same size (%d)",
                        scale.events(),
                        scale.rounds(),
                        scale.warmUps());
            case append ->
                String.format(
                        Locale.ROOT,
                        "four clients for %.0f s; medians of rounds in turns (%d) after a third as many to warm up",
                        scale.appendTime().toMillis() / 1e3,
                        scale.appendRounds());
            case latency ->
                String.format(
                        Locale.ROOT,
                        "%d s at %d/s%s, after a third of it to warm up",
                        scale.latencySeconds(),
                        Results.LOW_RATE,
                        scale.thorough() ? " and at half of what a system appends and drains" : "");
            case distance ->
                String.format(
                        Locale.ROOT,
                        "drains of %,d events and shares as above by new processes, each after drains of the same size for %d s; medians of"
                                + " rounds in turns (%d), over a slower link one round, in which peers that await each send have %d threads"
                                + " instead of %d; latency for %d s",
                        scale.distantEvents(),
                        scale.distantWarmUp().toSeconds(),
                        scale.rounds(),
                        BenchStage.HANDLERS_FAR,
                        BenchStage.HANDLERS,
                        scale.thorough() ? scale.latencySeconds() / 3 : 0);
            case growth ->
                String.format(
                        Locale.ROOT,
                        "backlogs of up to %,d, found by a system that runs; other variations with %,d events, the table with a third of them, several relays with a tenth",
                        scale.largestBacklog(),
                        scale.variedEvents());
        };
    }

    private static Optional<String> cpuModel() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The commit of the checkout that this code was built in, wherever the bench was started from; without one, its version. */
    static String checkout() {
        return commit(home(Machine.class)).orElseGet(Machine::version);
    }

    /** The folder that a class was loaded from, or the folder of its jar. */
    static Path home(Class<?> type) {
        try {
            Path source = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            return Files.isDirectory(source) ? source : Objects.requireNonNull(source.getParent());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The folder of " + type + " is not known: " + e.getMessage(), e);
        }
    }

    /** Empty if the folder is in no checkout, or there is no git. */
    static Optional<String> commit(Path folder) {
        try {
            Process git = new ProcessBuilder("git", "-C", folder.toString(), "describe", "--always", "--dirty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 && !commit.isEmpty() ? Optional.of(commit) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static String version() {
        return Objects.requireNonNullElse(Machine.class.getPackage().getImplementationVersion(), "unknown");
    }
}
