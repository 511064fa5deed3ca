package dev.waybill.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/** One Kafka process that runs in this JVM: a broker, a controller or both. Not safe for several threads. */
final class KafkaNode {
    private final int id;
    private final Path directory;
    private final Map<String, String> properties;
    private @Nullable KafkaRaftServer running;

    KafkaNode(int id, Path directory, Map<String, String> properties) {
        this.id = id;
        this.directory = directory;
        this.properties = properties;
    }

    void format(String clusterId) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        try {
            new Formatter()
                    .setPrintStream(nowhere)
                    .setNodeId(id)
                    .setClusterId(clusterId)
                    .setControllerListenerName(KafkaSettings.CONTROLLER_LISTENER)
                    .setMetadataLogDirectory(directory.toString())
                    .setDirectories(List.of(directory.toString()))
                    .run();
        } catch (Exception e) {
            throw new IllegalStateException("Kafka could not format its directory " + directory + ".", e);
        }
    }

    /** Returns when it accepts requests. */
    void start() {
        if (running == null) {
            KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
            running = server;
            server.startup();
        }
    }

    void stop() {
        if (running != null) {
            running.shutdown();
            running.awaitShutdown();
            running = null;
        }
    }

    static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException alreadyGone) {
            // Nothing is left to delete.
        } catch (IOException e) {
            throw new UncheckedIOException("Kafka's directory " + directory + " could not be deleted.", e);
        }
    }
}
