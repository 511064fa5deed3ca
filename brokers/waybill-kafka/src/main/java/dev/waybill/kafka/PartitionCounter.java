package dev.waybill.kafka;

import dev.waybill.spi.OutboundMessage;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How many messages one producer has in flight to one partition. Messages are counted by the sending thread, acknowledgements
 * by the producer's thread: each count has one writer, so no lock is needed. Failures are counted by both.
 *
 * <p>The times are used only by the thread that watches the partitions.
 */
final class PartitionCounter {
    private final ProducerLife life;
    /** Null where the producer chooses the partition. */
    private final @Nullable TopicPartition partition;

    private final @Nullable Integer number;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    private boolean hadNothingOut = true;
    private long acknowledgedBefore;
    private long progressNanos;
    private long quietSinceNanos;
    private OptionalLong suspectedSinceNanos = OptionalLong.empty();
    private @Nullable PartitionInfo atWorst;

    PartitionCounter(ProducerLife life, @Nullable TopicPartition partition, long nanoTime) {
        this.life = life;
        this.partition = partition;
        this.number = partition == null ? null : Integer.valueOf(partition.partition());
        this.progressNanos = nanoTime;
        this.quietSinceNanos = nanoTime;
    }

    ProducerLife life() {
        return life;
    }

    @Nullable TopicPartition partition() {
        return partition;
    }

    /** A record to this partition. */
    ProducerRecord<byte[], byte[]> record(OutboundMessage message) {
        return Records.of(message, number);
    }

    void sent() {
        sent.lazySet(sent.getPlain() + 1);
    }

    void acknowledged() {
        acknowledged.lazySet(acknowledged.getPlain() + 1);
    }

    void failed() {
        failed.incrementAndGet();
    }

    /** A message is counted after the producer accepted it, so its answer may be counted first. */
    boolean hasNothingOut() {
        long done = acknowledged.get() + failed.get();
        return sent.get() <= done;
    }

    /** Compares the counts with those of the last check. */
    void observe(long nanoTime) {
        boolean nothingOut = hasNothingOut();
        long now = acknowledged.get();
        boolean progress = now != acknowledgedBefore;
        if (progress) {
            acknowledgedBefore = now;
            progressNanos = nanoTime;
        }
        // Nothing is checked while nothing is in flight: the time starts with the first check after that.
        if (progress || nothingOut || hadNothingOut) {
            quietSinceNanos = nanoTime;
            suspectedSinceNanos = OptionalLong.empty();
            atWorst = null;
        }
        hadNothingOut = nothingOut;
    }

    /**
     * The partition may have become unavailable or available.
     *
     * @return how long it has been in this state
     */
    long suspect(boolean away, long nanoTime) {
        if (!away) {
            suspectedSinceNanos = OptionalLong.empty();
            return 0;
        }
        long since = suspectedSinceNanos.orElse(nanoTime);
        suspectedSinceNanos = OptionalLong.of(since);
        return nanoTime - since;
    }

    /**
     * Records Kafka's description of the partition while it acknowledges nothing.
     *
     * @return the last description with the fewest replicas in sync; if more are in sync now, it has recovered meanwhile
     */
    PartitionInfo atWorst(PartitionInfo found) {
        PartitionInfo worst = atWorst;
        if (worst == null || found.inSyncReplicas().length <= worst.inSyncReplicas().length) {
            worst = found;
            atWorst = worst;
        }
        return worst;
    }

    /** Since when messages are in flight without any acknowledgement. */
    long quietSince() {
        return quietSinceNanos;
    }

    boolean isStuck(long nanoTime, long afterNanos) {
        return !hasNothingOut() && nanoTime - quietSinceNanos >= afterNanos;
    }

    /** Whether Kafka acknowledged something at the given time or after it. */
    boolean progressedSince(long nanoTime) {
        return acknowledgedBefore > 0 && progressNanos - nanoTime >= 0;
    }
}
