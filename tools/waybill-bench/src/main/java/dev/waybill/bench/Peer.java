package dev.waybill.bench;

import dev.waybill.bench.systems.SystemSpec;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Other outboxes. Each has a module of its own beside the bench's, and a class path that no other one shares. */
enum Peer {
    DEBEZIUM("Debezium Engine", "DebeziumSystem", "debezium-connector-postgres", 0.1),
    MODULITH("Spring Modulith", "ModulithSystem", "spring-modulith-events-core", 0.01),
    NAMASTACK("namastack", "NamastackSystem", "namastack-outbox-core", 0.01),
    GRUELBOX("gruelbox", "GruelboxSystem", "transactionoutbox-core", 0.01);

    private static final String HEAP = "-Xmx1g";

    final String label;
    private final String main;
    private final Pattern jar;
    private final double share;

    Peer(String label, String main, String artifact, double share) {
        this.label = label;
        this.main = main;
        this.jar = Pattern.compile("/" + artifact + "-([^/]+)\\.jar");
        this.share = share;
    }

    /** How to start it; empty if its module is not built. */
    Optional<SystemSpec> spec() {
        String folder = name().toLowerCase(Locale.ROOT);
        Path tools = tools();
        Path module =
                tools == null ? null : tools.resolve("waybill-bench-" + folder).resolve("target");
        if (module == null || !Files.exists(module.resolve("classpath"))) {
            return Optional.empty();
        }
        String classPath = module.resolve("classes") + File.pathSeparator + read(module.resolve("classpath"));
        Matcher version = jar.matcher(classPath);
        return Optional.of(new SystemSpec(
                label,
                version.find() ? version.group(1) : "unknown",
                List.of(
                        Lineup.java(),
                        HEAP,
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        classPath,
                        "dev.waybill.bench." + folder + "." + main),
                share));
    }

    /** The folder with this module and those of the peers, wherever the classes of the bench are in it. */
    private static @Nullable Path tools() {
        try {
            Path classes = Path.of(Bench.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            for (Path folder = classes; folder != null; folder = folder.getParent()) {
                if (Files.exists(folder.resolve("waybill-bench-kit").resolve("pom.xml"))) {
                    return folder;
                }
            }
            return null;
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The place of the bench's classes is not a path.", e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
