package dev.waybill.kafka;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.spi.Printable;
import dev.waybill.spi.SourceException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads dead-letter topics. Marks follow the letters they refer to, so a partition is read to its end for the marks, and then
 * again for the letters. In memory are a few bits for each mark, and no more letters than requested.
 */
final class LetterReader {
    private static final Duration POLL = Duration.ofMillis(200);
    /** Without an answer for this long, the broker counts as unavailable; the client itself would wait without limit. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Map<String, Object> properties;

    LetterReader(Map<String, Object> properties) {
        this.properties = properties;
    }

    /** Letters without a mark, oldest first. */
    List<DeadLetterEntry> oldest(String topic, int atMost) {
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            OldestLetters letters = new OldestLetters(atMost);
            for (TopicPartition partition : partitionsOf(consumer, topic)) {
                MarkedOffsets done = marks(consumer, partition);
                read(consumer, partition, 0, message -> {
                    if (!done.contains(message.offset()) && DoneMark.of(message).isEmpty()) {
                        letters.add(message, DeadLetterEntry.of(topic, message));
                    }
                    return !letters.hasEnoughOf(partition.partition());
                });
            }
            return letters.list();
        } catch (InvalidTopicException e) {
            throw invalid(topic, e);
        } catch (KafkaException e) {
            throw new SourceException("Kafka failed while dead letters of " + topic + " were read (" + e + ").", e);
        }
    }

    private static IllegalArgumentException invalid(String topic, InvalidTopicException e) {
        return new IllegalArgumentException(
                "\"" + Printable.of(topic) + "\" cannot be the name of a topic: use at most 249 letters, digits, dots,"
                        + " hyphens and underscores (" + e.getMessage() + ").",
                e);
    }

    private static MarkedOffsets marks(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
        MarkedOffsets done = new MarkedOffsets();
        read(consumer, partition, 0, message -> {
            DoneMark.of(message).ifPresent(place -> done.add(place.offset()));
            return true;
        });
        return done;
    }

    /** The letter, unless it is marked or deleted. */
    Optional<KafkaMessage> find(String topic, String place) {
        return LetterPlace.in(topic, place).flatMap(known -> {
            AtomicReference<@Nullable KafkaMessage> found = new AtomicReference<>();
            try (Consumer<byte[], byte[]> consumer = consumer()) {
                if (!exists(consumer, known.partition())) {
                    return Optional.empty();
                }
                read(consumer, known.partition(), known.offset(), message -> {
                    if (message.offset() == known.offset()) {
                        found.set(DoneMark.of(message).isEmpty() ? message : null);
                    } else if (DoneMark.of(message).filter(known::equals).isPresent()) {
                        found.set(null);
                        return false;
                    }
                    return found.get() != null;
                });
            } catch (InvalidTopicException e) {
                throw invalid(topic, e);
            } catch (KafkaException e) {
                throw new SourceException("Kafka failed while " + place + " was searched (" + e + ").", e);
            }
            return Optional.ofNullable(found.get());
        });
    }

    /** Whether the topic exists; does not create it. */
    boolean hasTopic(String topic) {
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            return !partitionsOf(consumer, topic).isEmpty();
        } catch (InvalidTopicException e) {
            return false;
        } catch (KafkaException e) {
            throw new SourceException("Kafka failed while the topic " + topic + " was looked up (" + e + ").", e);
        }
    }

    /** The record at a position, if Kafka still holds it. */
    Optional<KafkaMessage> at(LetterPlace place) {
        AtomicReference<@Nullable KafkaMessage> found = new AtomicReference<>();
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            if (!exists(consumer, place.partition())) {
                return Optional.empty();
            }
            read(consumer, place.partition(), place.offset(), message -> {
                if (message.offset() == place.offset()) {
                    found.set(message);
                }
                return false;
            });
        } catch (KafkaException e) {
            throw new SourceException("Kafka failed while " + place + " was read (" + e + ").", e);
        }
        return Optional.ofNullable(found.get());
    }

    /**
     * Reads from the offset, or the oldest existing one, to the current end.
     *
     * @param goOn receives a record and returns whether to continue
     */
    static void read(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, long from, Predicate<KafkaMessage> goOn) {
        List<TopicPartition> one = List.of(partition);
        consumer.assign(one);
        long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
        long next = Math.max(from, consumer.beginningOffsets(one).getOrDefault(partition, 0L));
        consumer.seek(partition, next);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (next < end) {
            for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
                if (each.offset() >= end || !goOn.test(new KafkaMessage(each))) {
                    return;
                }
            }
            long reached = consumer.position(partition);
            if (reached > next) {
                next = reached;
                deadline = System.nanoTime() + PATIENCE.toNanos();
            } else if (System.nanoTime() - deadline > 0) {
                throw new KafkaException(
                        "nothing was received from " + partition + " for " + PATIENCE.toSeconds() + " s");
            }
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** For a partition that does not exist, the client would wait a minute. */
    private static boolean exists(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
        return partitionsOf(consumer, partition.topic()).contains(partition);
    }

    static List<TopicPartition> partitionsOf(Consumer<byte[], byte[]> consumer, String topic) {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic);
        return partitions == null
                ? List.of()
                : partitions.stream()
                        .map(partition -> new TopicPartition(topic, partition.partition()))
                        .toList();
    }
}
