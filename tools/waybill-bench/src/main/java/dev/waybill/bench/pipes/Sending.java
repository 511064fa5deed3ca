package dev.waybill.bench.pipes;

import dev.waybill.kafka.KafkaOptions;
import dev.waybill.spi.OutboundMessage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A plain Kafka producer with the settings of the Kafka destination. */
public final class Sending implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    public Sending(KafkaOptions options) {
        this.producer = new KafkaProducer<>(options.producerProperties());
    }

    void send(OutboundMessage message) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(message.topic(), message.key(), message.value());
        message.headers().forEach(header -> record.headers().add(header.name(), header.value()));
        var unused = producer.send(record, (metadata, error) -> {
            if (error != null) {
                failure.set(error);
            }
        });
    }

    void flush() {
        producer.flush();
        Exception failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("Kafka did not accept a message: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
