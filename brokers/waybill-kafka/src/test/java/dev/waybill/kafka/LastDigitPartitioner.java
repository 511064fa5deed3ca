package dev.waybill.kafka;

import java.util.Map;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;

/** A partitioner as users write them: the key's last digit is the partition. */
public final class LastDigitPartitioner implements Partitioner {
    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        return keyBytes[keyBytes.length - 1] - '0';
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // It has no settings.
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
