package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;

import dev.waybill.embedded.KafkaCluster;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.DestinationHarness.Received;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/** Three real brokers; topics define which broker has which partition. */
final class Cluster implements AutoCloseable {
    private final KafkaCluster brokers = KafkaCluster.start(3, Map.of("auto.create.topics.enable", "false"));

    KafkaCluster brokers() {
        return brokers;
    }

    KafkaOptions options() {
        return KafkaOptions.of(Map.of("bootstrap.servers", brokers.bootstrapServers()))
                .deliveryTimeout(Duration.ofSeconds(6));
    }

    /** Partition 0 on broker 1, 1 on 2 and 2 on 3, without replicas. */
    String newTopic() {
        return newTopic(Map.of(0, List.of(1), 1, List.of(2), 2, List.of(3)), Map.of());
    }

    String newTopic(Map<Integer, List<Integer>> assignment, Map<String, String> settings) {
        String topic = Broker.unusedTopic();
        try (Admin admin = admin()) {
            NewTopic made = new NewTopic(topic, assignment).configs(settings);
            admin.createTopics(Set.of(made)).all().get();
            Broker.eventually(() -> hasLeaders(admin, topic));
        } catch (Exception e) {
            throw new AssertionError("The topic " + topic + " could not be made.", e);
        }
        return topic;
    }

    /** The broker that is asked may not know of the topic yet. */
    private static boolean hasLeaders(Admin admin, String topic) throws InterruptedException {
        try {
            return admin.describeTopics(Set.of(topic)).allTopicNames().get().get(topic).partitions().stream()
                    .allMatch(partition -> partition.leader() != null);
        } catch (ExecutionException e) {
            return false;
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", brokers.bootstrapServers()));
    }

    /** A key that goes to the given partition of three. */
    static String keyOf(int partition, int number) {
        for (int i = 0, found = -1; ; i++) {
            String key = "key-" + i;
            if (BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), 3) == partition
                    && ++found == number) {
                return key;
            }
        }
    }

    /** For each partition of three and each of some keys one message after another, mixed. */
    static List<OutboundMessage> letters(String topic, int from, int to) {
        List<OutboundMessage> letters = new ArrayList<>();
        for (int i = from; i < to; i++) {
            for (int partition = 0; partition < 3; partition++) {
                String key = keyOf(partition, i % 2);
                letters.add(letter(topic, key, key + "/" + i));
            }
        }
        return letters;
    }

    Map<String, List<String>> byKey(String topic) {
        Map<String, List<String>> texts = new HashMap<>();
        for (Received received : Broker.everythingOn(brokers.bootstrapServers(), topic)) {
            String key = new String(received.key(), StandardCharsets.UTF_8);
            texts.computeIfAbsent(key, k -> new ArrayList<>())
                    .add(new String(received.value(), StandardCharsets.UTF_8));
        }
        return texts;
    }

    @Override
    public void close() {
        brokers.close();
    }
}
