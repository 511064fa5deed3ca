package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.support.InFlightBatch.Place;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** The producer's callback for one message. */
record Sent(ProducerSession session, Place place, PartitionCounter counter) implements Callback {
    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception error) {
        try {
            if (error == null) {
                counter.acknowledged();
                session.answers().answer(place, Delivery.DELIVERED);
            } else {
                counter.failed();
                session.failed(counter.life(), place, SendFailure.of(metadata, error));
            }
        } catch (Throwable e) {
            // An Error would end the producer's thread, and nothing would be answered after that.
            session.failed(e);
        }
    }
}
