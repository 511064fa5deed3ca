package dev.waybill.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * A real Kafka in this JVM, on free loopback ports, in its own directory, which is deleted when it is closed or the JVM ends. By
 * default topics are created when first used, with three partitions.
 */
public final class KafkaServer implements AutoCloseable {
    private static final int STARTS = 3;

    private final KafkaSettings settings;
    private final KafkaNode node;
    private final AtExit closeAtExit = AtExit.run(this::stopAndDelete);
    private boolean closed;

    private KafkaServer(KafkaSettings settings) {
        this.settings = settings;
        this.node = new KafkaNode(KafkaSettings.NODE_ID, settings.directory(), settings.properties());
    }

    public static KafkaServer start() {
        return start(Map.of());
    }

    /**
     * @param extra broker settings, such as {@code auto.create.topics.enable} or {@code authorizer.class.name}; they override the
     *     defaults, but not directories and addresses; a proxy in front of it is named in {@code advertised.listeners}
     */
    public static KafkaServer start(Map<String, String> extra) {
        return start(extra, Map.of());
    }

    /** @param listeners further listeners: the security protocol of each by its name, in capitals */
    public static KafkaServer start(Map<String, String> extra, Map<String, String> listeners) {
        for (int attempt = 1; ; attempt++) {
            KafkaServer server = new KafkaServer(place(extra, listeners));
            try {
                server.node.format(Uuid.randomUuid().toString());
                server.restartBroker();
                return server;
            } catch (RuntimeException e) {
                server.close();
                // Another process may have taken a port between its choice and its use.
                if (attempt == STARTS) {
                    throw new IllegalStateException(
                            "Kafka did not start after " + STARTS + " attempts, the last on "
                                    + server.settings.bootstrapServers() + ": look at the cause.",
                            e);
                }
            }
        }
    }

    /** The address for clients; it stays the same while the server is stopped and restarted. */
    public String bootstrapServers() {
        return settings.bootstrapServers();
    }

    /** The address of one of the further listeners. */
    public String bootstrapServers(String listener) {
        return settings.listeners().stream()
                .filter(each -> each.name().equals(listener))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Kafka has no listener " + listener + "."))
                .address();
    }

    /** Stops the server; its data and address are kept for {@link #restartBroker()}. */
    public synchronized void stopBroker() {
        node.stop();
    }

    /** Starts the server again with the same address and data. Returns when it accepts requests. */
    public synchronized void restartBroker() {
        if (closed) {
            throw new IllegalStateException("Kafka on " + bootstrapServers() + " is closed: start another.");
        }
        node.start();
    }

    Path directory() {
        return settings.directory();
    }

    @Override
    public void close() {
        stopAndDelete();
        closeAtExit.cancel();
    }

    private synchronized void stopAndDelete() {
        if (!closed) {
            closed = true;
            try {
                stopBroker();
            } finally {
                KafkaNode.delete(settings.directory());
            }
        }
    }

    private static KafkaSettings place(Map<String, String> extra, Map<String, String> listeners) {
        try {
            Path directory = Files.createTempDirectory("waybill-kafka");
            List<KafkaSettings.Listener> further = new ArrayList<>();
            listeners.forEach(
                    (name, protocol) -> further.add(new KafkaSettings.Listener(name, protocol, FreePort.choose())));
            return new KafkaSettings(directory, FreePort.choose(), FreePort.choose(), Map.copyOf(extra), further);
        } catch (IOException e) {
            throw new UncheckedIOException("No directory could be made for Kafka.", e);
        }
    }
}
