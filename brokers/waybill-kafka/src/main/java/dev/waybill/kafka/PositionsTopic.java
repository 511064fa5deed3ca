package dev.waybill.kafka;

import dev.waybill.spi.DestinationUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/**
 * The compacted topic with the committed position of each exactly-once relay. The key is the writer's id, the value the position
 * as text. All records are in the first partition, so that a change of the number of partitions moves none.
 */
final class PositionsTopic {
    private static final int PARTITION = 0;

    /** Small segments, because only complete ones are compacted, and every start may read what is not. */
    private static final Map<String, String> SETTINGS = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
            TopicConfig.SEGMENT_BYTES_CONFIG, "16777216",
            TopicConfig.SEGMENT_MS_CONFIG, "3600000",
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1");

    /** Offsets that the first step of a search covers; each further step covers ten times as many. */
    private static final long FIRST_STEP = 2_000;

    private static final short REPLICAS_OF_BROKER = -1;
    private static final Duration POLL = Duration.ofMillis(100);

    private final String name;
    private final ClientProperties properties;
    private final KafkaErrors errors;
    private final Duration patience;
    private boolean examined;

    PositionsTopic(String name, ClientProperties properties, KafkaErrors errors, Duration patience) {
        this.name = name;
        this.properties = properties;
        this.errors = errors;
        this.patience = patience;
    }

    ProducerRecord<byte[], byte[]> record(String id, String position) {
        return new ProducerRecord<>(name, PARTITION, utf8(id), utf8(position));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Creates the topic if there is none, and checks that it is compacted.
     *
     * @throws DestinationUnavailableException if there is none and it cannot be created, or if it is not compacted
     */
    void require() {
        if (examined) {
            return;
        }
        try (Admin admin = Admin.create(properties.admin())) {
            create(admin);
            requireCompacted(admin);
            examined = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(e);
        } catch (KafkaException e) {
            throw unavailable(e);
        } catch (TimeoutException e) {
            throw new DestinationUnavailableException(
                    "the brokers did not answer for " + patience.toSeconds() + " s when topic " + name
                            + ", which holds the positions of exactly-once relays, was examined",
                    e);
        }
    }

    private void create(Admin admin) throws InterruptedException, TimeoutException {
        try {
            if (names(admin).contains(name)) {
                return;
            }
            NewTopic topic = new NewTopic(name, PARTITION + 1, REPLICAS_OF_BROKER).configs(SETTINGS);
            admin.createTopics(List.of(topic)).all().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                throw new DestinationUnavailableException(
                        "topic " + name
                                + ", which holds the positions of exactly-once relays, does not exist, and this client"
                                + " may not create it: create it with one partition and cleanup.policy=compact, and grant"
                                + " Read, Write and Describe",
                        e);
            }
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw unavailable(e);
            }
        }
    }

    private Set<String> names(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        return admin.listTopics().names().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A topic that is not compacted deletes the position of a relay that is idle for longer than its retention. */
    private void requireCompacted(Admin admin) throws InterruptedException, TimeoutException {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
        try {
            Config config = admin.describeConfigs(List.of(topic))
                    .all()
                    .get(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .get(topic);
            @Nullable ConfigEntry policy = config == null ? null : config.get(TopicConfig.CLEANUP_POLICY_CONFIG);
            if (policy != null && !TopicConfig.CLEANUP_POLICY_COMPACT.equals(policy.value())) {
                throw new DestinationUnavailableException("topic " + name + " has cleanup.policy=" + policy.value()
                        + ", which deletes the positions of exactly-once relays: set cleanup.policy=compact");
            }
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof AuthorizationException)) {
                throw unavailable(e);
            }
        }
    }

    /**
     * The last committed position under this id. Waits for transactions of other relays that are open on the partition.
     *
     * @param id of a writer that has fenced all others: none commits while this reads
     * @param topics has a client that sees messages of open transactions
     */
    Optional<String> read(String id, TopicQuestions topics) {
        TopicPartition partition = new TopicPartition(name, PARTITION);
        try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties.committedReader())) {
            consumer.assign(List.of(partition));
            long first = offset(consumer.beginningOffsets(List.of(partition), patience), partition);
            // Of all records, also those of open transactions.
            long before = offset(topics.consumer().endOffsets(List.of(partition), patience), partition);
            long step = FIRST_STEP;
            Optional<String> found = Optional.empty();
            while (found.isEmpty() && before > first) {
                long from = Math.max(first, before - step);
                found = last(consumer, partition, new Range(from, before), utf8(id));
                before = from;
                step *= 10;
            }
            return found;
        } catch (KafkaException e) {
            throw unavailable(e);
        }
    }

    private static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    /** Offsets from the first up to, and without, the last. */
    private record Range(long from, long to) {}

    private Optional<String> last(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, Range range, byte[] key) {
        Optional<String> last = Optional.empty();
        long deadline = System.nanoTime() + patience.toNanos();
        consumer.seek(partition, range.from);
        for (long at = range.from; at < range.to; at = consumer.position(partition, patience)) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                if (record.offset() < range.to && Arrays.equals(record.key(), key) && record.value() != null) {
                    last = Optional.of(new String(record.value(), StandardCharsets.UTF_8));
                }
            }
            if (!records.isEmpty()) {
                deadline = System.nanoTime() + patience.toNanos();
            } else if (System.nanoTime() - deadline > 0) {
                throw new DestinationUnavailableException("the positions in topic " + name
                        + " cannot be read to their end: a transaction of another relay has been open for "
                        + patience.toSeconds() + " s, or the brokers do not answer; trying again");
            }
        }
        return last;
    }

    private DestinationUnavailableException unavailable(Exception e) {
        @Nullable Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
        return new DestinationUnavailableException(
                errors.unavailable(cause == null ? e : cause).error(), e);
    }
}
