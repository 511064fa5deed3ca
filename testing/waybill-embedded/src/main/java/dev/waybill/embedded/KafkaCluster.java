package dev.waybill.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/**
 * Several real Kafka brokers and a separate controller in this JVM, on free loopback ports, in a directory that is
 * deleted when the cluster is closed or the JVM ends. Each broker can be stopped and started again by its id; a partition
 * whose replicas are all stopped has no leader.
 */
public final class KafkaCluster implements AutoCloseable {
    private static final int STARTS = 3;
    private static final int CONTROLLER = 0;

    private final Path directory;
    /** By id; the controller is 0. */
    private final List<KafkaNode> nodes = new ArrayList<>();

    private final List<Integer> ports;
    private final AtExit closeAtExit = AtExit.run(this::stopAndDelete);
    private boolean closed;

    private KafkaCluster(Path directory, List<Integer> ports, Map<String, String> extra) {
        this.directory = directory;
        this.ports = ports;
        for (int id = CONTROLLER; id < ports.size(); id++) {
            Path home = directory.resolve("node-" + id);
            nodes.add(new KafkaNode(id, home, properties(id, home, extra)));
        }
    }

    /**
     * @param brokers number of brokers; their ids are 1, 2, 3 and so on
     * @param extra settings of every broker; they override the defaults, but not directories and addresses
     */
    public static KafkaCluster start(int brokers, Map<String, String> extra) {
        for (int attempt = 1; ; attempt++) {
            KafkaCluster cluster = place(brokers, extra);
            try {
                cluster.startAll();
                return cluster;
            } catch (RuntimeException e) {
                cluster.close();
                // Another process may have taken a port between its choice and its use.
                if (attempt == STARTS) {
                    throw new IllegalStateException(
                            "Kafka did not start after " + STARTS + " attempts: look at the cause.", e);
                }
            }
        }
    }

    /** The addresses of all brokers; they stay the same while brokers are stopped and restarted. */
    public String bootstrapServers() {
        return ports.subList(1, ports.size()).stream()
                .map(port -> KafkaSettings.HOST + ":" + port)
                .collect(Collectors.joining(","));
    }

    /** Stops a broker; its data and address are kept for {@link #restartBroker}. */
    public synchronized void stopBroker(int id) {
        broker(id).stop();
    }

    /** Starts a broker again with the same address and data. Returns when it accepts requests. */
    public synchronized void restartBroker(int id) {
        if (closed) {
            throw new IllegalStateException("Kafka in " + directory + " is closed: start another.");
        }
        broker(id).start();
    }

    private KafkaNode broker(int id) {
        if (id <= CONTROLLER || id >= nodes.size()) {
            throw new IllegalArgumentException("There is no broker " + id + ": use 1 to " + (nodes.size() - 1) + ".");
        }
        return nodes.get(id);
    }

    private synchronized void startAll() {
        String clusterId = Uuid.randomUuid().toString();
        nodes.forEach(node -> node.format(clusterId));
        nodes.forEach(KafkaNode::start);
    }

    @Override
    public void close() {
        stopAndDelete();
        closeAtExit.cancel();
    }

    private synchronized void stopAndDelete() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            // Brokers first: each tells the controller before it ends.
            for (int id = nodes.size() - 1; id >= CONTROLLER; id--) {
                nodes.get(id).stop();
            }
        } finally {
            KafkaNode.delete(directory);
        }
    }

    private static KafkaCluster place(int brokers, Map<String, String> extra) {
        List<Integer> ports = Stream.generate(FreePort::choose)
                .limit(CONTROLLER + brokers + 1)
                .toList();
        try {
            return new KafkaCluster(Files.createTempDirectory("waybill-kafka"), ports, Map.copyOf(extra));
        } catch (IOException e) {
            throw new UncheckedIOException("No directory could be made for Kafka.", e);
        }
    }

    private Map<String, String> properties(int id, Path home, Map<String, String> extra) {
        Map<String, String> all = new HashMap<>();
        KafkaSettings.addSmallness(all);
        all.putAll(extra);
        boolean controller = id == CONTROLLER;
        String listener = (controller ? KafkaSettings.CONTROLLER_LISTENER : "PLAINTEXT") + "://" + KafkaSettings.HOST
                + ":" + ports.get(id);
        all.put("process.roles", controller ? "controller" : "broker");
        all.put("node.id", Integer.toString(id));
        all.put("controller.quorum.voters", CONTROLLER + "@" + KafkaSettings.HOST + ":" + ports.get(CONTROLLER));
        all.put("controller.listener.names", KafkaSettings.CONTROLLER_LISTENER);
        all.put("listeners", listener);
        if (!controller) {
            all.put("advertised.listeners", listener);
        }
        all.put("listener.security.protocol.map", KafkaSettings.PROTOCOLS);
        all.put("log.dirs", home.toString());
        return all;
    }
}
