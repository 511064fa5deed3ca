package dev.waybill.kafka;

import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A message that the producer did not deliver, and why.
 *
 * @param partition of the message; null if none was chosen
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
