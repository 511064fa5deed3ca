package dev.waybill.kafka;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Takes the producer's word on one message. */
final class Sent implements Callback {
    private final ProducerSession session;
    private final InFlightBatch batch;
    private final int index;
    private final PartitionCounter counter;

    Sent(ProducerSession session, InFlightBatch batch, int index, PartitionCounter counter) {
        this.session = session;
        this.batch = batch;
        this.index = index;
        this.counter = counter;
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception error) {
        try {
            if (error == null) {
                counter.acknowledged();
                session.answers().delivered(batch, index);
            } else {
                counter.failed();
                session.failed(counter.life(), batch, index, SendFailure.of(metadata, error));
            }
        } catch (Throwable e) {
            // An Error would end the producer's thread, and nothing would be answered any more.
            session.failed(e);
        }
    }
}
