package dev.waybill.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * A real Kafka in this JVM, on free loopback ports, in a directory of its own that goes when it is closed or the JVM ends.
 * Topics are made when first used, with three partitions, unless the settings say otherwise.
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
     * @param extra broker settings, such as {@code auto.create.topics.enable} or {@code authorizer.class.name}; they win
     *     over the defaults, but not over where the server lives and listens; a proxy before it is named in {@code
     *     advertised.listeners}
     */
    public static KafkaServer start(Map<String, String> extra) {
        return start(extra, Map.of());
    }

    /** @param listeners further ways in: the security protocol of each by its name, in capitals */
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

    /** The address of one of the further ways in. */
    public String bootstrapServers(String listener) {
        return settings.listeners().stream()
                .filter(each -> each.name().equals(listener))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Kafka has no listener " + listener + "."))
                .address();
    }

    /** Takes the server away; its data and its address stay for {@link #restartBroker()}. */
    public synchronized void stopBroker() {
        node.stop();
    }

    /** Brings the server back, on the same address and data. Returns when it takes requests. */
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
        InetAddress loopback = InetAddress.getLoopbackAddress();
        // Both are held at once, or the second could be the first again.
        try (ServerSocket broker = new ServerSocket(0, 1, loopback);
                ServerSocket controller = new ServerSocket(0, 1, loopback)) {
            Path directory = Files.createTempDirectory("waybill-kafka");
            List<KafkaSettings.Listener> further = new ArrayList<>();
            listeners.forEach(
                    (name, protocol) -> further.add(new KafkaSettings.Listener(name, protocol, FreePort.choose())));
            return new KafkaSettings(
                    directory, broker.getLocalPort(), controller.getLocalPort(), Map.copyOf(extra), further);
        } catch (IOException e) {
            throw new UncheckedIOException("Kafka found no free loopback port or no place for its data.", e);
        }
    }
}
