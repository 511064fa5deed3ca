package dev.waybill.kafka;

import dev.waybill.admin.BrokerCheckup;
import dev.waybill.admin.BrokerFindings;
import dev.waybill.admin.Finding;
import dev.waybill.admin.PositionsCheckup;
import dev.waybill.spi.Counted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** Checks a Kafka cluster, with the properties that relays publish with. */
public final class KafkaCheckup implements BrokerCheckup, PositionsCheckup {
    /** The client connects again and again in this time. A busy machine may need more than 5 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final KafkaOptions options;
    private final Duration patience;

    KafkaCheckup(KafkaOptions options, Duration patience) {
        this.options = options;
        this.patience = patience;
    }

    public static KafkaCheckup of(KafkaOptions options) {
        return new KafkaCheckup(options, PATIENCE);
    }

    @Override
    public List<Finding> examine(Collection<String> topics) {
        Map<String, Object> properties = new HashMap<>(new ClientProperties(options).consumer());
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        List<Finding> findings = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            Map<String, List<PartitionInfo>> there = consumer.listTopics(patience);
            findings.add(Finding.fine(
                    "broker",
                    "Kafka at " + options.bootstrapServers() + " answers; " + Counted.of(there.size(), "topic")));
            findings.add(encryption());
            new TreeSet<>(topics).forEach(topic -> findings.add(topic(consumer, topic, there.get(topic))));
        } catch (TimeoutException e) {
            findings.add(BrokerFindings.silent("Kafka at " + options.bootstrapServers(), patience));
        } catch (KafkaException e) {
            findings.add(BrokerFindings.unavailable(errors().unavailable(e).error(), e));
        }
        return findings;
    }

    @Override
    public List<Finding> examinePositions() {
        return List.of(positions().examine());
    }

    @Override
    public Optional<String> position(String writerId) {
        try (TopicQuestions topics = new TopicQuestions(new ClientProperties(options), errors(), Duration.ZERO)) {
            PositionsTopic positions = positions();
            return positions.exists() ? positions.read(writerId, topics) : Optional.empty();
        }
    }

    private PositionsTopic positions() {
        return new PositionsTopic(options, new ClientProperties(options), errors());
    }

    private KafkaErrors errors() {
        return new KafkaErrors(options.bootstrapServers());
    }

    private Finding encryption() {
        String protocol = options.properties().getOrDefault("security.protocol", "PLAINTEXT");
        boolean near = options.bootstrapServers().matches("(?:(?:localhost|127\\.[\\d.]+):\\d+,?)+");
        return BrokerFindings.encryption(
                protocol.endsWith("SSL"),
                near,
                "Set security.protocol to SSL or SASL_SSL, with a listener for it at the brokers.");
    }

    private Finding topic(Consumer<byte[], byte[]> consumer, String topic, @Nullable List<PartitionInfo> known) {
        try {
            List<PartitionInfo> partitions = known == null ? consumer.partitionsFor(topic, patience) : known;
            return partitions.isEmpty() ? missing(topic) : leaders(topic, partitions);
        } catch (TopicAuthorizationException e) {
            return Finding.problem(
                    "topic", topic + " is forbidden to this client", "Grant it Describe and Write on the topic.");
        } catch (TimeoutException e) {
            return Finding.warning(
                    "topic",
                    topic + " is not checked: Kafka did not answer within " + patience.toSeconds() + " s",
                    "Check again later.");
        } catch (KafkaException e) {
            return Finding.problem(
                    "topic", topic + " cannot be checked (" + e.getMessage() + ")", "Correct its name or the cluster.");
        }
    }

    private static Finding missing(String topic) {
        return Finding.warning(
                "topic",
                topic + " does not exist",
                "Create it, or let brokers create topics automatically (auto.create.topics.enable).");
    }

    private static Finding leaders(String topic, List<PartitionInfo> partitions) {
        long without = partitions.stream()
                .filter(each -> each.leader() == null || each.leader().isEmpty())
                .count();
        return without == 0
                ? Finding.fine("topic", topic + ", " + Counted.of(partitions.size(), "partition"))
                : Finding.problem(
                        "topic",
                        topic + ": " + Counted.of(without, "partition has", "partitions have") + " no leader, of "
                                + partitions.size(),
                        "Start the brokers that hold them.");
    }
}
