package dev.waybill.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The settings of one broker that is its own controller: small, on loopback, and quick to start and stop. */
record KafkaSettings(
        Path directory, int brokerPort, int controllerPort, Map<String, String> extra, List<Listener> listeners) {
    static final int NODE_ID = 1;
    static final String CONTROLLER_LISTENER = "CONTROLLER";
    static final String PROTOCOLS = "PLAINTEXT:PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT";
    static final String HOST = "127.0.0.1";

    /** A listener in addition to the one without TLS, with settings under {@code listener.name.NAME}. */
    record Listener(String name, String protocol, int port) {
        String address() {
            return HOST + ":" + port;
        }
    }

    String bootstrapServers() {
        return HOST + ":" + brokerPort;
    }

    Map<String, String> properties() {
        Map<String, String> all = new HashMap<>();
        all.put("auto.create.topics.enable", "true");
        all.put("num.partitions", "3");
        addSmallness(all);
        all.putAll(extra);
        addPlace(all);
        return all;
    }

    /**
     * Directories and addresses, which cannot be changed: otherwise the server could not be found, or be reached from other
     * machines. Only a proxy may be in front of it, with its own advertised address.
     */
    private void addPlace(Map<String, String> all) {
        String broker = "PLAINTEXT://" + HOST + ":" + brokerPort;
        String controller = HOST + ":" + controllerPort;
        all.put("process.roles", "broker,controller");
        all.put("node.id", Integer.toString(NODE_ID));
        all.put("controller.quorum.voters", NODE_ID + "@" + controller);
        all.put("controller.listener.names", CONTROLLER_LISTENER);
        StringBuilder clients = new StringBuilder(broker);
        StringBuilder protocols = new StringBuilder(PROTOCOLS);
        for (Listener each : listeners) {
            clients.append(",").append(each.name()).append("://").append(each.address());
            protocols.append(",").append(each.name()).append(":").append(each.protocol());
        }
        all.put("listeners", clients + "," + CONTROLLER_LISTENER + "://" + controller);
        all.putIfAbsent("advertised.listeners", clients.toString());
        all.put("listener.security.protocol.map", protocols.toString());
        all.put("log.dirs", directory.toString());
    }

    static void addSmallness(Map<String, String> all) {
        all.put("default.replication.factor", "1");
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "1");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("transaction.state.log.num.partitions", "1");
        all.put("share.coordinator.state.topic.replication.factor", "1");
        all.put("share.coordinator.state.topic.min.isr", "1");
        all.put("share.coordinator.state.topic.num.partitions", "1");
        all.put("group.initial.rebalance.delay.ms", "0");
        all.put("num.network.threads", "2");
        all.put("num.io.threads", "2");
        all.put("log.retention.ms", "-1");
        // Kafka allocates this buffer at once; default: 128 MB.
        all.put("log.cleaner.dedupe.buffer.size", "2097152");
    }
}
