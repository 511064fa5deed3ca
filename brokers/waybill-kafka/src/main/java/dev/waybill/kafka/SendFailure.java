package dev.waybill.kafka;

import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What the producer says of a message that it did not deliver.
 *
 * @param partition where the message was to go; null when it got no partition
 */
record SendFailure(@Nullable TopicPartition partition, Exception error) {
    static SendFailure of(@Nullable RecordMetadata metadata, Exception error) {
        return metadata == null || metadata.partition() == RecordMetadata.UNKNOWN_PARTITION
                ? new SendFailure(null, error)
                : new SendFailure(new TopicPartition(metadata.topic(), metadata.partition()), error);
    }

    /** The partition that has not acknowledged the message within the delivery timeout. */
    @Nullable TopicPartition expiredOn() {
        return error instanceof TimeoutException ? partition : null;
    }

    boolean isOfItsNeighbours() {
        return KafkaErrors.isOfItsNeighbours(error);
    }

    boolean isOfTheClock() {
        return KafkaErrors.isOfTheClock(error);
    }
}
