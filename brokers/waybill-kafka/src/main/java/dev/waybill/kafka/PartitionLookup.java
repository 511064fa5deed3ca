package dev.waybill.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.PartitionInfo;

/** Asks Kafka for partitions, on its own thread. */
interface PartitionLookup {
    /**
     * The partitions of a topic. Called only on the lookup's thread.
     *
     * @throws RuntimeException when Kafka does not answer
     */
    List<PartitionInfo> partitionsOf(String topic);

    /**
     * The partitions of all topics that this client may describe, possibly a little old. Called only on the lookup's thread.
     *
     * @throws RuntimeException when Kafka does not answer
     */
    Map<String, List<PartitionInfo>> allPartitions();

    /** Runs a task on the lookup's thread after a delay, unless it is closed by then. */
    void later(Duration wait, Runnable task);

    long nanoTime();
}
