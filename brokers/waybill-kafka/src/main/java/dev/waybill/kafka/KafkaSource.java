package dev.waybill.kafka;

import dev.waybill.spi.MessageSource;
import dev.waybill.spi.SourceException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Messages of Kafka topics, shared among all consumers of the same group. Offsets are committed only up to the first message
 * of a partition that is not acknowledged.
 */
public final class KafkaSource implements MessageSource {
    /** Set by Waybill, so that only acknowledged messages are committed. */
    private static final Set<String> OURS =
            Set.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, ConsumerConfig.GROUP_ID_CONFIG);

    /** Default of {@code fetch.max.bytes}: how much is fetched ahead from one broker. Kafka's own default is 50 MB. */
    public static final int FETCH_BYTES = 16_000_000;

    private final Map<String, Object> properties;
    private final List<String> topics;

    private KafkaSource(Map<String, Object> properties, List<String> topics) {
        this.properties = properties;
        this.topics = topics;
    }

    /**
     * @param properties Kafka's own consumer properties, {@code bootstrap.servers} at least; by default a group that has
     *     committed nothing starts with the oldest message
     * @param group the consumer group, such as the consumer's name
     */
    public static KafkaSource of(Map<String, ?> properties, String group, List<String> topics) {
        if (topics.isEmpty() || group.isBlank()) {
            throw new IllegalArgumentException(
                    "The Kafka source has no group or no topic: give a group and at least one topic.");
        }
        TreeSet<String> refused = new TreeSet<>(properties.keySet());
        refused.retainAll(OURS);
        if (!refused.isEmpty()) {
            throw new IllegalArgumentException(
                    "The properties " + refused
                            + " cannot be set: the group is a parameter, and offsets are committed when messages are acknowledged.");
        }
        Map<String, Object> all = new HashMap<>();
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        all.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        all.putAll(properties);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        return new KafkaSource(all, List.copyOf(topics));
    }

    @Override
    public Subscription subscribe(Listener listener) {
        try {
            return new KafkaSubscription(
                    new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                    topics,
                    listener);
        } catch (KafkaException e) {
            throw new SourceException("Cannot consume " + topics + " from Kafka (" + e.getMessage() + ").", e);
        }
    }

    /** Without the values of the properties: they may contain passwords. */
    @Override
    public String toString() {
        return "KafkaSource" + topics;
    }
}
