package dev.waybill.bench.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** What the handlers of a system send with. Safe for use by many threads. */
public final class MessageProducer implements AutoCloseable {
    private final Producer<byte[], byte[]> producer;
    private volatile @Nullable String topic;

    public MessageProducer(Endpoints endpoints) throws IOException {
        this.producer = new KafkaProducer<>(endpoints.producer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Where messages go from now on. */
    public void topic(String name) {
        topic = name;
    }

    public Future<RecordMetadata> send(String key, String value) {
        String target = topic;
        if (target == null) {
            throw new IllegalStateException("An event was to be sent before the system was started.");
        }
        return producer.send(new ProducerRecord<>(
                target, key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8)));
    }

    public void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
    }
}
