package dev.waybill.trials;

import dev.waybill.embedded.KafkaCluster;
import dev.waybill.format.Format;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayStatistics;
import dev.waybill.route.Route;
import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/** A topic of eight partitions on three brokers, one of them alone on its broker, and a relay from the trial's journal to it. */
final class EightPartitions implements AutoCloseable {
    static final String RELAY = "eight";
    private static final String TOPIC = "changes";
    private static final int PARTITIONS = 8;
    private static final int ALONE = 5;
    private static final int ITS_BROKER = 3;

    private final Trial trial;
    private final KafkaCluster cluster = KafkaCluster.start(3, Map.of("auto.create.topics.enable", "false"));
    private final KafkaDestination destination =
            KafkaDestination.of(Map.of("bootstrap.servers", cluster.bootstrapServers()));
    private final Relay relay;

    EightPartitions(Trial trial) throws Exception {
        this.trial = trial;
        makeTopic();
        Stamp stamp = new Stamp();
        this.relay = Relay.named(RELAY)
                .from(stamp.on(trial.database().journal()))
                .to(destination)
                .route(Route.fixed(TOPIC))
                .format(stamp.on(Format.envelope("trial")))
                .start();
    }

    private void makeTopic() throws Exception {
        Map<Integer, List<Integer>> assignment = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assignment.put(partition, List.of(partition == ALONE ? ITS_BROKER : 1 + partition % 2));
        }
        NewTopic topic = new NewTopic(TOPIC, assignment).configs(Map.of("message.timestamp.type", "LogAppendTime"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            admin.createTopics(Set.of(topic)).all().get();
            Await.until("the topic on every broker", () -> isKnown(admin));
        }
    }

    private static boolean isKnown(Admin admin) throws InterruptedException {
        try {
            return admin.describeTopics(Set.of(TOPIC)).allTopicNames().get().get(TOPIC).partitions().stream()
                    .allMatch(partition -> partition.leader() != null);
        } catch (ExecutionException notYet) {
            return false;
        }
    }

    /** Stops the leader of one partition for this time. */
    Window withoutOneLeader(Duration outage) throws SQLException {
        Instant from = Instant.now();
        cluster.stopBroker(ITS_BROKER);
        trial.say("one of " + PARTITIONS + " partitions has no leader for " + outage.toSeconds() + " s");
        Await.watch(outage);
        Instant to = Instant.now();
        trial.say("its broker starts again; so far " + counts());
        cluster.restartBroker(ITS_BROKER);
        return new Window(from, to);
    }

    String counts() throws SQLException {
        RelayStatistics counts = relay.statistics();
        return "published " + counts.published() + ", sent again " + counts.retried() + ", behind " + counts.behind()
                + ", released " + counts.released() + ", ever parked "
                + trial.database().everParked(RELAY);
    }

    Relay relay() {
        return relay;
    }

    /** All messages, each partition in order. */
    List<Delivered> read() {
        try (TopicReader reader = new TopicReader(cluster.bootstrapServers(), List.of(TOPIC))) {
            return List.copyOf(reader.read());
        }
    }

    /** Messages per second that arrived in the seven other partitions. */
    static double rateOfTheSeven(List<Delivered> stream, Map<UUID, Committed> committed, Window window) {
        long count = stream.stream()
                .filter(message -> window.contains(message.appendedAt()))
                .filter(message -> isOfTheSeven(committed.get(message.eventId())))
                .count();
        return count * 1000.0 / window.length().toMillis();
    }

    static boolean isOfTheSeven(Committed event) {
        byte[] key = event.key().substring(event.key().indexOf(':') + 1).getBytes(StandardCharsets.UTF_8);
        return BuiltInPartitioner.partitionForKey(key, PARTITIONS) != ALONE;
    }

    record Window(Instant from, Instant to) {
        boolean contains(Instant time) {
            return !time.isBefore(from) && time.isBefore(to);
        }

        Duration length() {
            return Duration.between(from, to);
        }
    }

    @Override
    public void close() {
        relay.close();
        destination.close();
        cluster.close();
    }
}
