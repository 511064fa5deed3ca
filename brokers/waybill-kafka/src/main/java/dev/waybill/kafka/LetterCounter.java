package dev.waybill.kafka;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.spi.SourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Counts the letters of dead-letter topics. Marks follow the letters they refer to, so the newest records of a partition tell which
 * of the letters among them are left, and a topic of any size is read from there.
 */
final class LetterCounter {
    /** Without an answer for this long, the broker counts as unavailable. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Map<String, Object> properties;

    LetterCounter(Map<String, Object> properties) {
        this.properties = properties;
    }

    Set<String> topics() {
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            return consumer.listTopics(PATIENCE).keySet().stream()
                    .filter(topic -> topic.endsWith(DeadLetterBox.SUFFIX))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (KafkaException e) {
            throw new SourceException("Kafka failed while topics were listed (" + e + ").", e);
        }
    }

    List<DeadLetterCount> count(Collection<String> topics, int atMost) {
        List<DeadLetterCount> counts = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            Map<String, List<PartitionInfo>> existing = consumer.listTopics(PATIENCE);
            for (String topic : new TreeSet<>(topics)) {
                if (existing.containsKey(topic)) {
                    counts.add(count(consumer, topic, atMost));
                }
            }
        } catch (KafkaException e) {
            throw new SourceException("Kafka failed while dead letters were counted (" + e + ").", e);
        }
        return counts;
    }

    private static DeadLetterCount count(Consumer<byte[], byte[]> consumer, String topic, int atMost) {
        List<TopicPartition> partitions = LetterReader.partitionsOf(consumer, topic);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, PATIENCE);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
        long share = Math.max(1, atMost / Math.max(1, partitions.size()));
        List<String> consumers = new ArrayList<>();
        boolean exact = true;
        for (TopicPartition partition : partitions) {
            long begin = begins.getOrDefault(partition, 0L);
            long from = Math.max(begin, ends.getOrDefault(partition, 0L) - share);
            exact &= from == begin;
            consumers.addAll(consumersOf(consumer, partition, from));
        }
        return DeadLetterCount.of(topic, consumers, exact);
    }

    /** The consumer of each letter from this offset on. */
    private static Collection<String> consumersOf(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, long from) {
        Map<Long, String> letters = new HashMap<>();
        LetterReader.read(consumer, partition, from, message -> {
            DoneMark.of(message)
                    .ifPresentOrElse(
                            done -> letters.remove(done.offset()),
                            () -> letters.put(
                                    message.offset(),
                                    DeadLetterEntry.of(partition.topic(), message)
                                            .consumer()));
            return true;
        });
        return letters.values();
    }

    private Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
