package dev.waybill.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Sends messages with timestamps of a host whose clock is two hours ahead. */
public final class ClockAhead implements ProducerInterceptor<byte[], byte[]> {
    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        return new ProducerRecord<>(
                record.topic(),
                record.partition(),
                System.currentTimeMillis() + Duration.ofHours(2).toMillis(),
                record.key(),
                record.value(),
                record.headers());
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
        // The destination gets the exception itself.
    }

    @Override
    public void close() {
        // It holds nothing.
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // It has no settings.
    }
}
