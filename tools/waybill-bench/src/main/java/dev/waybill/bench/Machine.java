package dev.waybill.bench;

import dev.waybill.bench.kit.Business;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;
import org.postgresql.util.DriverInfo;

/** What a run was measured on and with. Values that a machine does not tell are left out. */
final class Machine {
    private Machine() {}

    static Map<String, String> describe() {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processors", Runtime.getRuntime().availableProcessors() + " processors");
        cpuModel().ifPresent(model -> machine.put("cpu", model));
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("java", "JDK " + System.getProperty("java.version"));
        return machine;
    }

    static Map<String, String> settings(Comparing.Scale scale, String heap) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(
                "events",
                String.format(
                        Locale.ROOT,
                        "%,d for fast systems, a share of them for slow ones; %d rounds in turns after one to warm up",
                        scale.events(),
                        scale.rounds()));
        settings.put("keys", String.format(Locale.ROOT, "%,d", Business.KEYS));
        settings.put("PostgreSQL", "18 embedded, fsync on, shared_buffers 512 MB, wal_level logical, loopback");
        settings.put(
                "Kafka",
                AppInfoParser.getVersion() + " embedded, one broker, " + Servers.PARTITIONS
                        + " partitions, acks all, lz4, the same producer properties for every system");
        settings.put("drivers", "pgjdbc " + DriverInfo.DRIVER_VERSION);
        settings.put("heap", heap + " for systems of this project, 1 GB for the others");
        return settings;
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

    /** The commit that is measured, if git knows it. */
    static String checkout() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 && !commit.isEmpty() ? commit : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
