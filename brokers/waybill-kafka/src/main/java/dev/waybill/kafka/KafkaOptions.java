package dev.waybill.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How to reach Kafka and how long to wait for it.
 *
 * @param properties Kafka's own producer properties, {@code bootstrap.servers} at least. They override Waybill's defaults
 *     (large batches, lz4, no lingering); those that its guarantees depend on are refused. A {@code partitioner.class} must send
 *     equal keys to the same partition.
 * @param deliveryTimeout how long Kafka may take to acknowledge before it counts as unavailable as a whole
 * @param topicTimeout how long a topic is looked up, including its automatic creation, before it counts as missing
 * @param objects properties whose values are not text, such as what an {@code ssl.engine.factory.class} reads. Every client
 *     gets them. Kafka's own properties are given as text
 * @param positionsTopic the compacted topic with the positions of relays that deliver exactly once. It is created if it does not
 *     exist and this client may create it
 */
public record KafkaOptions(
        Map<String, String> properties,
        Duration deliveryTimeout,
        Duration topicTimeout,
        Map<String, Object> objects,
        String positionsTopic) {
    public static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(30);
    public static final Duration TOPIC_TIMEOUT = Duration.ofSeconds(1);
    public static final String POSITIONS_TOPIC = "waybill-positions";

    /**
     * @throws IllegalArgumentException when options are invalid; the message lists all of them
     */
    public KafkaOptions {
        properties = Map.copyOf(properties);
        objects = Map.copyOf(objects);
        PropertyRules.check(properties, deliveryTimeout, topicTimeout);
        PropertyRules.checkObjects(objects.keySet());
    }

    /** Without properties that are not text. */
    public KafkaOptions(Map<String, String> properties, Duration deliveryTimeout, Duration topicTimeout) {
        this(properties, deliveryTimeout, topicTimeout, Map.of(), POSITIONS_TOPIC);
    }

    public static KafkaOptions of(Map<String, String> properties) {
        return new KafkaOptions(properties, DELIVERY_TIMEOUT, TOPIC_TIMEOUT);
    }

    public KafkaOptions deliveryTimeout(Duration timeout) {
        return new KafkaOptions(properties, timeout, topicTimeout, objects, positionsTopic);
    }

    public KafkaOptions topicTimeout(Duration timeout) {
        return new KafkaOptions(properties, deliveryTimeout, timeout, objects, positionsTopic);
    }

    public KafkaOptions objects(Map<String, Object> values) {
        return new KafkaOptions(properties, deliveryTimeout, topicTimeout, values, positionsTopic);
    }

    public KafkaOptions positionsTopic(String topic) {
        return new KafkaOptions(properties, deliveryTimeout, topicTimeout, objects, topic);
    }

    /**
     * The producer's properties: these, Waybill's defaults, and those that its guarantees depend on. Not for logs: they may
     * contain passwords.
     *
     * @throws IllegalArgumentException if Kafka refuses a property
     */
    public Map<String, Object> producerProperties() {
        return new ClientProperties(this).producer();
    }

    /** The producer properties that cannot be set, because Waybill's guarantees depend on them. */
    public static Set<String> fixedProperties() {
        return PropertyRules.OURS.keySet();
    }

    String bootstrapServers() {
        return properties.getOrDefault("bootstrap.servers", "");
    }

    /** Without the values of the properties: they may contain passwords. */
    @Override
    public String toString() {
        return "KafkaOptions[" + bootstrapServers() + ", properties " + new TreeSet<>(properties.keySet())
                + ", delivery timeout " + deliveryTimeout.toMillis() + " ms, topic timeout " + topicTimeout.toMillis()
                + " ms]";
    }
}
