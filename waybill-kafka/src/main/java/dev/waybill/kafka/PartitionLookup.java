package dev.waybill.kafka;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.PartitionInfo;

/** Asks Kafka for partitions, on a thread of its own. */
interface PartitionLookup {
    /**
     * What Kafka says of a topic's partitions now. Only on the thread.
     *
     * @throws RuntimeException when Kafka does not answer
     */
    List<PartitionInfo> partitionsOf(String topic);

    /** Does something on the thread after a while, unless it is closed by then. */
    void later(Duration wait, Runnable task);

    long nanoTime();
}
