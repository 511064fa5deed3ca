package dev.waybill.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The properties of the Kafka clients: Waybill's defaults, overridden by the user's, and those that cannot be changed. */
final class ClientProperties {
    /** The producer drops the metadata of a topic that is idle for longer, and fetching it again would block the relay. */
    private static final long TOPIC_IDLE_MILLIS = 300_000;

    private static final long REQUEST_TIMEOUT_MILLIS = 10_000;

    /** How long a transaction may be open before its last message is sent. */
    private static final Duration OPEN_BEFORE_DELIVERY = Duration.ofSeconds(15);

    /**
     * How long one send may block the relay's thread: while the buffer is full, or because the producer has lost the metadata of
     * a topic, as it does when brokers leave. After that Kafka counts as unavailable.
     */
    static final long LONGEST_BLOCK_MILLIS = 5_000;
    /** Properties that consumers also have, with another meaning. */
    private static final Set<String> PRODUCER_ONLY =
            Set.of(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, ProducerConfig.CLIENT_ID_CONFIG);

    private final KafkaOptions options;
    private final Map<String, Object> producer;
    private final int maxRequestSize;

    /**
     * @throws IllegalArgumentException if Kafka refuses a property
     */
    ClientProperties(KafkaOptions options) {
        this.options = options;
        this.producer = producerProperties();
        try {
            this.maxRequestSize = new ProducerConfig(producer).getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
        } catch (ConfigException e) {
            throw new IllegalArgumentException("Kafka refuses the properties: "
                    + withoutSecrets(String.valueOf(e.getMessage())) + ". Correct the one it names.");
        }
    }

    Map<String, Object> producer() {
        return producer;
    }

    /** For a producer with transactions. A transaction that a process left open ends when the next one takes over, or then. */
    Map<String, Object> transactional(String id) {
        Map<String, Object> all = new HashMap<>(producer);
        all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        all.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int)
                options.deliveryTimeout().plus(OPEN_BEFORE_DELIVERY).toMillis());
        return all;
    }

    /** For the consumer that reads committed positions. Never creates their topic: it would not be compacted. */
    Map<String, Object> committedReader() {
        Map<String, Object> all = consumer();
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // It looks back in steps. A request that it made ahead, at the end of the partition, would delay the next step.
        all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "10");
        return all;
    }

    /** For the client that creates and examines the topic of positions. */
    Map<String, Object> admin() {
        Map<String, Object> all = consumer();
        all.keySet()
                .removeIf(name -> ConsumerConfig.configNames().contains(name)
                        && !AdminClientConfig.configNames().contains(name));
        return all;
    }

    int maxRequestSize() {
        return maxRequestSize;
    }

    /** Whether the partition of a message with a key is the one that Kafka's producer computes from the key. */
    boolean keysDecidePartitions() {
        return Stream.of(ProducerConfig.PARTITIONER_CLASS_CONFIG, ProducerConfig.INTERCEPTOR_CLASSES_CONFIG)
                .allMatch(name -> options.properties().getOrDefault(name, "").isBlank());
    }

    /** A topic that is idle for longer is looked up again before it is used: earlier than the producer forgets it. */
    long topicIdleNanos() {
        long idle = PropertyRules.number(options.properties(), ProducerConfig.METADATA_MAX_IDLE_CONFIG)
                .orElse(TOPIC_IDLE_MILLIS);
        return idle * 800_000;
    }

    /** For the consumer that looks up topics: only the connection properties, which both kinds of clients share. */
    Map<String, Object> consumer() {
        Map<String, Object> all = new HashMap<>(options.objects());
        options.properties().forEach((name, value) -> {
            if (isCommon(name)) {
                all.put(name, value);
            }
        });
        String clientId = options.properties().get(ProducerConfig.CLIENT_ID_CONFIG);
        if (clientId != null) {
            all.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId + "-topics");
        }
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "true");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        all.putIfAbsent(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, "false");
        return all;
    }

    /** Properties unknown to Kafka are passed on: a login module may read them. */
    private static boolean isCommon(String name) {
        boolean ofProducers = ProducerConfig.configNames().contains(name);
        boolean ofConsumers = ConsumerConfig.configNames().contains(name);
        return ofProducers == ofConsumers && !PRODUCER_ONLY.contains(name);
    }

    private Map<String, Object> producerProperties() {
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.LINGER_MS_CONFIG, "0");
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, "262144");
        all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, "33554432");
        all.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, "false");
        all.putAll(options.objects());
        all.putAll(options.properties());
        long delivery = options.deliveryTimeout().toMillis();
        long linger = PropertyRules.number(options.properties(), ProducerConfig.LINGER_MS_CONFIG)
                .orElse(0);
        all.putIfAbsent(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Long.toString(Math.min(REQUEST_TIMEOUT_MILLIS, delivery - linger)));
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        all.put(ProducerConfig.RETRIES_CONFIG, Integer.toString(Integer.MAX_VALUE));
        // Not 5: a broker that does not know this producer yet on a partition accepts any sequence number. If the first
        // request fails and is retried (new topic, new leader, after an outage), the second one overtakes it.
        all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Long.toString(delivery));
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.toString(Math.min(LONGEST_BLOCK_MILLIS, delivery)));
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        return Map.copyOf(all);
    }

    /** Kafka's messages quote values. */
    private String withoutSecrets(String message) {
        String text = message;
        for (Map.Entry<String, String> property : options.properties().entrySet()) {
            boolean secret = property.getKey().matches(".*(password|jaas|secret|key|token|credential).*");
            if (secret && !property.getValue().isEmpty()) {
                text = text.replace(property.getValue(), "[hidden]");
            }
        }
        return text;
    }
}
