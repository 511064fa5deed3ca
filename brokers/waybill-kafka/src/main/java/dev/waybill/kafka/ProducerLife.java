package dev.waybill.kafka;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** A producer, its messages in flight, and its retirement, after which it sends nothing and another takes over. */
final class ProducerLife {
    private final Producer<byte[], byte[]> producer;
    private final PartitionCounters counters;
    private final AtomicBoolean retired = new AtomicBoolean();
    private final Set<TopicPartition> expired = ConcurrentHashMap.newKeySet();

    ProducerLife(Producer<byte[], byte[]> producer, boolean keysDecidePartitions) {
        this.producer = producer;
        this.counters = new PartitionCounters(this, keysDecidePartitions);
    }

    Producer<byte[], byte[]> producer() {
        return producer;
    }

    PartitionCounters counters() {
        return counters;
    }

    boolean isRetired() {
        return retired.get();
    }

    /**
     * @return false if it was already retired
     */
    boolean retire() {
        return retired.compareAndSet(false, true);
    }

    /** A message to this partition was not acknowledged within the delivery timeout. */
    void expired(TopicPartition partition) {
        expired.add(partition);
    }

    Set<TopicPartition> expired() {
        return expired;
    }

    /** Whether nothing is in flight, except to the given partitions. */
    boolean hasNothingOutExcept(Predicate<TopicPartition> leftAside) {
        return counters.all()
                .filter(counter -> counter.partition() == null || !leftAside.test(counter.partition()))
                .allMatch(PartitionCounter::hasNothingOut);
    }

    /** Closes it on its own thread, without waiting: it sends nothing more. */
    void closeHere() {
        close(Duration.ZERO);
    }

    /**
     * Closes the producer on a new thread and waits for that up to the given time. Closing waits for the producer's thread, which
     * may be completing a batch for a thread that waits for the caller.
     */
    void closeElsewhere(Duration grace, Duration patience) {
        elsewhere(() -> close(grace), patience);
    }

    /** Aborts the open transaction, if the brokers answer within the time to abort, and closes the producer. */
    void abortElsewhere(Duration toAbort, Duration patience) {
        elsewhere(
                () -> {
                    elsewhere(this::abort, toAbort);
                    close(Duration.ZERO);
                },
                patience);
    }

    private void abort() {
        try {
            producer.abortTransaction();
        } catch (RuntimeException e) {
            // It has none, or it is closed, fenced or committing. The next writer ends what is open, or its timeout
            // does.
        }
    }

    private static void elsewhere(Runnable work, Duration patience) {
        Thread closing = new Thread(work, "waybill-kafka-close");
        closing.setDaemon(true);
        closing.start();
        try {
            if (!patience.isZero()) {
                closing.join(patience.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(Duration grace) {
        try {
            producer.close(grace);
        } catch (RuntimeException e) {
            // It is not used any more.
        }
    }
}
