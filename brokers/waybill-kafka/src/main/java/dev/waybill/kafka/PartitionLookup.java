package dev.waybill.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.PartitionInfo;

/** Asks Kafka for partitions, on a thread of its own. */
interface PartitionLookup {
    /**
     * What Kafka says of a topic's partitions now. Only on the thread.
     *
     * @throws RuntimeException when Kafka does not answer
     */
    List<PartitionInfo> partitionsOf(String topic);

    /**
     * The partitions of all topics that this client may describe, as Kafka said a moment ago. Only on the thread.
     *
     * @throws RuntimeException when Kafka does not answer
     */
    Map<String, List<PartitionInfo>> allPartitions();

    /** Does something on the thread after a while, unless it is closed by then. */
    void later(Duration wait, Runnable task);

    long nanoTime();
}
