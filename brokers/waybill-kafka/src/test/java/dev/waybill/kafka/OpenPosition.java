package dev.waybill.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A position of some writer, sent and not committed yet. */
final class OpenPosition implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;

    private OpenPosition(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    static OpenPosition on(Broker broker, String positions) throws Exception {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.server().bootstrapServers(),
                        "transactional.id",
                        "open-" + UUID.randomUUID()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        byte[] text = "open".getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(positions, 0, text, text)).get();
        return new OpenPosition(producer);
    }

    /** As an operator does it: a record without a value. */
    static void delete(Broker broker, String positions, String id) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = plain(broker)) {
            producer.send(new ProducerRecord<>(positions, 0, id.getBytes(StandardCharsets.UTF_8), null))
                    .get();
        }
    }

    /** Positions of many others. */
    static void fill(Broker broker, String positions, int records) {
        try (KafkaProducer<byte[], byte[]> producer = plain(broker)) {
            for (int i = 0; i < records; i++) {
                byte[] other = ("other " + i).getBytes(StandardCharsets.UTF_8);
                var unused = producer.send(new ProducerRecord<>(positions, 0, other, other));
            }
            producer.flush();
        }
    }

    private static KafkaProducer<byte[], byte[]> plain(Broker broker) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.server().bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    void end() {
        producer.commitTransaction();
    }

    @Override
    public void close() {
        producer.close();
    }
}
