package dev.waybill.kafka;

import dev.waybill.spi.OutboundMessage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What one producer has in flight, by partition. A message with a key goes to the partition that Kafka's own producer computes
 * for it, from as many partitions as the producer knows of; without a key, and with a partitioner or interceptor of the
 * user, the producer chooses, and its messages are counted by topic only.
 */
final class PartitionCounters {
    private final ProducerLife life;
    private final boolean keysDecide;
    private final Map<String, OfTopic> topics = new ConcurrentHashMap<>();
    private long tick;
    private @Nullable OfTopic last;

    PartitionCounters(ProducerLife life, boolean keysDecide) {
        this.life = life;
        this.keysDecide = keysDecide;
    }

    /** Called once for many messages, so that the partitions of a topic are not requested for each. */
    void tick() {
        tick++;
        last = null;
    }

    /**
     * @throws org.apache.kafka.common.KafkaException if the producer does not find the topic in time
     */
    PartitionCounter of(OutboundMessage message) {
        OfTopic found = last;
        if (found == null || !found.topic.equals(message.topic())) {
            found = topics.computeIfAbsent(message.topic(), OfTopic::new);
            found.refresh();
            last = found;
        }
        return found.of(message.key());
    }

    Stream<PartitionCounter> all() {
        return topics.values().stream().flatMap(OfTopic::all);
    }

    List<PartitionCounter> stuck(long nanoTime, long afterNanos) {
        return all().filter(counter -> counter.isStuck(nanoTime, afterNanos)).toList();
    }

    private final class OfTopic {
        private final String topic;
        private final PartitionCounter chosenByProducer;
        private volatile PartitionCounter[] partitions = {};
        private long refreshed = -1;

        OfTopic(String topic) {
            this.topic = topic;
            this.chosenByProducer = new PartitionCounter(life, null, System.nanoTime());
        }

        /** The number of partitions the producer knows of now, which is what its own partitioner uses. */
        void refresh() {
            if (!keysDecide || refreshed == tick) {
                return;
            }
            int count = life.producer().partitionsFor(topic).size();
            refreshed = tick;
            PartitionCounter[] before = partitions;
            if (count != before.length) {
                PartitionCounter[] all = Arrays.copyOf(before, count);
                for (int i = before.length; i < count; i++) {
                    all[i] = new PartitionCounter(life, new TopicPartition(topic, i), System.nanoTime());
                }
                partitions = all;
            }
        }

        PartitionCounter of(byte @Nullable [] key) {
            PartitionCounter[] all = partitions;
            return key == null || all.length == 0
                    ? chosenByProducer
                    : all[BuiltInPartitioner.partitionForKey(key, all.length)];
        }

        Stream<PartitionCounter> all() {
            return Stream.concat(Stream.of(chosenByProducer), Arrays.stream(partitions));
        }
    }
}
