package dev.waybill.kafka;

import dev.waybill.admin.Finding;
import dev.waybill.spi.DestinationUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
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

    /** How long one answer may take. A relay that stops waits for it. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final String SUBJECT = "positions";

    private final String name;
    private final ClientProperties properties;
    private final KafkaErrors errors;
    private final Duration patience;

    PositionsTopic(KafkaOptions options, ClientProperties properties, KafkaErrors errors) {
        this.name = options.positionsTopic();
        this.properties = properties;
        this.errors = errors;
        this.patience = options.deliveryTimeout().compareTo(PATIENCE) < 0 ? options.deliveryTimeout() : PATIENCE;
    }

    boolean is(String topic) {
        return name.equals(topic);
    }

    ProducerRecord<byte[], byte[]> record(String id, String position) {
        return new ProducerRecord<>(name, PARTITION, utf8(id), utf8(position));
    }

    /** Waits no longer than a commit does: a relay that stops waits for both. */
    void awaitAcknowledgement(Future<RecordMetadata> sent) {
        try {
            sent.get(ClientProperties.LONGEST_BLOCK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(e);
        } catch (ExecutionException e) {
            throw unavailable(e);
        } catch (TimeoutException e) {
            throw new DestinationUnavailableException(
                    "the brokers did not acknowledge a position in topic " + name + " for "
                            + ClientProperties.LONGEST_BLOCK_MILLIS + " ms",
                    e);
        }
    }

    /** Closed at once. Otherwise closing it would wait for answers that its callers do not wait for any more. */
    private final class Asking implements AutoCloseable {
        private final Admin admin = Admin.create(properties.admin());

        @Override
        public void close() {
            admin.close(Duration.ZERO);
        }
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Creates the topic if there is none, and checks that it is compacted. Called for every writer, because the topic may have been
     * deleted since the last one, and a broker that creates topics on use does not make it compacted.
     *
     * @throws DestinationUnavailableException if there is none and it cannot be created, or if it is not compacted
     */
    void require() {
        try (Asking asking = new Asking()) {
            Admin admin = asking.admin;
            if (!create(admin)) {
                requireCompacted(admin);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(e);
        } catch (KafkaException e) {
            throw unavailable(e);
        } catch (TimeoutException e) {
            throw new DestinationUnavailableException(
                    "the brokers did not answer for " + patience.toSeconds() + " s when " + described()
                            + " was examined",
                    e);
        }
    }

    /** @return false if it was there */
    private boolean create(Admin admin) throws InterruptedException, TimeoutException {
        try {
            if (names(admin).contains(name)) {
                return false;
            }
            NewTopic topic = new NewTopic(name, PARTITION + 1, REPLICAS_OF_BROKER).configs(SETTINGS);
            admin.createTopics(List.of(topic)).all().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                throw new DestinationUnavailableException(
                        described() + " does not exist, and this client"
                                + " may not create it: create it with one partition and cleanup.policy=compact, and grant"
                                + " Read, Write and Describe",
                        e);
            }
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw unavailable(e);
            }
            return false;
        }
    }

    /** @throws DestinationUnavailableException if that is not known */
    boolean exists() {
        try (Asking asking = new Asking()) {
            return names(asking.admin).contains(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(e);
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            throw unavailable(e);
        }
    }

    /** Changes nothing. */
    Finding examine() {
        try (Asking asking = new Asking()) {
            Admin admin = asking.admin;
            if (!names(admin).contains(name)) {
                return Finding.warning(
                        SUBJECT,
                        described() + " does not exist",
                        "If no relay has delivered exactly once yet, the first one creates it. Otherwise it was deleted: such"
                                + " relays publish again what their stores have not recorded as published.");
            }
            requireCompacted(admin);
            return Finding.fine(SUBJECT, "topic " + name + ", compacted");
        } catch (DestinationUnavailableException e) {
            return Finding.problem(
                    SUBJECT, String.valueOf(e.getMessage()), "Relays that deliver exactly once do not run until then.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unknown(e);
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            return unknown(e);
        }
    }

    private Finding unknown(Exception e) {
        return Finding.problem(
                SUBJECT,
                described() + " cannot be examined (" + unavailable(e).getMessage() + ")",
                "Start the brokers, or grant this client Describe on the topic.");
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
        try {
            Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties.committedReader());
            try {
                return read(id, topics, consumer);
            } finally {
                consumer.close(CloseOptions.timeout(Duration.ZERO));
            }
        } catch (KafkaException e) {
            throw unavailable(e);
        }
    }

    private Optional<String> read(String id, TopicQuestions topics, Consumer<byte[], byte[]> consumer) {
        TopicPartition partition = new TopicPartition(name, PARTITION);
        consumer.assign(List.of(partition));
        long first = offset(consumer.beginningOffsets(List.of(partition), patience), partition);
        // Of all records, also those of open transactions.
        long before = offset(topics.consumer().endOffsets(List.of(partition), patience), partition);
        long step = FIRST_STEP;
        @Nullable ConsumerRecord<byte[], byte[]> found = null;
        while (found == null && before > first) {
            long from = Math.max(first, before - step);
            found = last(consumer, partition, new Range(from, before), utf8(id));
            before = from;
            step *= 10;
        }
        // An operator may delete a position with a record without a value.
        return Optional.ofNullable(found).map(ConsumerRecord::value).map(PositionsTopic::text);
    }

    private static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    /** Offsets from the first up to, and without, the last. */
    private record Range(long from, long to) {}

    private @Nullable ConsumerRecord<byte[], byte[]> last(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, Range range, byte[] key) {
        @Nullable ConsumerRecord<byte[], byte[]> last = null;
        long deadline = System.nanoTime() + patience.toNanos();
        consumer.seek(partition, range.from);
        for (long at = range.from; at < range.to; at = consumer.position(partition, patience)) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                if (record.offset() < range.to && Arrays.equals(record.key(), key)) {
                    last = record;
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

    private String described() {
        return "topic " + name + ", which holds the positions of exactly-once relays,";
    }

    /** Names the remedy if the topic is forbidden. */
    DestinationUnavailableException unavailable(Exception e) {
        Throwable cause = e.getCause() instanceof KafkaException earlier ? earlier : e;
        if (cause instanceof TopicAuthorizationException forbidden
                && forbidden.unauthorizedTopics().contains(name)) {
            return new DestinationUnavailableException(
                    described() + " is forbidden to this client: grant it Read, Write and Describe", e);
        }
        return new DestinationUnavailableException(errors.unavailable(cause).error(), e);
    }
}
