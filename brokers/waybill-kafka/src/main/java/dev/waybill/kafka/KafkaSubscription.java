package dev.waybill.kafka;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Listener;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of a consumer group. Kafka returns records in bulk; those that the consumer has no room for wait here, with the
 * partitions paused, while polling continues: a member that does not poll is removed from the group.
 */
final class KafkaSubscription implements Subscription, ConsumerRebalanceListener {
    private static final Logger log = LoggerFactory.getLogger(KafkaSubscription.class);
    private static final Duration COMMIT_INTERVAL = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final List<String> topics;
    private final Listener listener;
    private final Map<TopicPartition, OpenOffsets> partitions = new HashMap<>();
    private final Deque<KafkaMessage> waiting = new ArrayDeque<>();
    private long lastCommit = System.nanoTime();
    private boolean closed;

    KafkaSubscription(Consumer<byte[], byte[]> consumer, List<String> topics, Listener listener) {
        this.consumer = consumer;
        this.topics = topics;
        this.listener = listener;
        consumer.subscribe(topics, this);
    }

    @Override
    public List<InboundMessage> poll(Duration wait, int atMost) {
        try {
            commitNowAndThen();
            boolean hungry = atMost > 0 && waiting.isEmpty();
            if (hungry) {
                consumer.resume(consumer.paused());
            } else {
                consumer.pause(consumer.assignment());
            }
            Duration patience = hungry || atMost == 0 ? wait : Duration.ZERO;
            for (ConsumerRecord<byte[], byte[]> each : consumer.poll(patience)) {
                waiting.addLast(new KafkaMessage(each));
            }
            return give(atMost);
        } catch (KafkaException e) {
            throw failed(e);
        }
    }

    private List<InboundMessage> give(int atMost) {
        List<InboundMessage> given = new ArrayList<>();
        while (given.size() < atMost && !waiting.isEmpty()) {
            KafkaMessage message = waiting.removeFirst();
            partitions
                    .computeIfAbsent(message.partition(), partition -> new OpenOffsets())
                    .given(message.offset());
            given.add(message);
        }
        return given;
    }

    @Override
    public void acknowledge(Collection<InboundMessage> done) {
        for (InboundMessage each : done) {
            if (each instanceof KafkaMessage message) {
                OpenOffsets offsets = partitions.get(message.partition());
                // The partition was revoked: its new owner gets the message again.
                if (offsets != null) {
                    offsets.done(message.offset());
                }
            }
        }
    }

    private void commitNowAndThen() {
        if (System.nanoTime() - lastCommit >= COMMIT_INTERVAL.toNanos()) {
            lastCommit = System.nanoTime();
            Map<TopicPartition, OffsetAndMetadata> offsets = toCommit(partitions.keySet());
            if (!offsets.isEmpty()) {
                // A failed commit is repeated by the next one; until then messages may be delivered twice.
                consumer.commitAsync(offsets, (committed, failure) -> {
                    if (failure == null) {
                        remember(committed);
                    } else {
                        log.debug("A commit of {} partitions failed.", committed.size(), failure);
                    }
                });
            }
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> toCommit(Collection<TopicPartition> whose) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : whose) {
            OpenOffsets open = partitions.get(partition);
            if (open != null) {
                open.toCommit().ifPresent(offset -> offsets.put(partition, new OffsetAndMetadata(offset)));
            }
        }
        return offsets;
    }

    private void remember(Map<TopicPartition, OffsetAndMetadata> committed) {
        committed.forEach((partition, offset) -> {
            OpenOffsets open = partitions.get(partition);
            if (open != null) {
                open.committed(offset.offset());
            }
        });
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> given) {}

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> taken) {
        if (taken.isEmpty()) {
            return;
        }
        handOver(taken);
        Map<TopicPartition, OffsetAndMetadata> offsets = toCommit(taken);
        try {
            if (!offsets.isEmpty()) {
                consumer.commitSync(offsets);
            }
        } catch (KafkaException e) {
            log.warn(
                    "Offsets of {} partitions could not be committed ({}): some messages are delivered again; the inbox skips them.",
                    offsets.size(),
                    e.getMessage());
        }
        taken.forEach(partitions::remove);
    }

    /** Other members own these partitions already. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        handOver(lost);
        lost.forEach(partitions::remove);
    }

    private void handOver(Collection<TopicPartition> leaving) {
        Set<TopicPartition> whose = new HashSet<>(leaving);
        waiting.removeIf(message -> whose.contains(message.partition()));
        listener.revoked(this, message -> message instanceof KafkaMessage ours && whose.contains(ours.partition()));
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            consumer.close();
        } catch (KafkaException e) {
            log.warn("The consumer of {} did not leave its group cleanly ({}).", topics, e.getMessage());
        }
    }

    private SourceException failed(KafkaException e) {
        return new SourceException(
                "Kafka failed while " + topics + " were consumed ("
                        + e.getClass().getSimpleName() + ": " + e.getMessage() + ").",
                e);
    }
}
