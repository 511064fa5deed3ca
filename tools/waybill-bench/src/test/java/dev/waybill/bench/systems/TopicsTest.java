package dev.waybill.bench.systems;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class TopicsTest {
    private static final byte[] MESSAGE = {1};

    @Test
    void a_repeat_does_not_make_up_for_a_lost_event() throws Exception {
        UUID first = new UUID(1, 2);
        try (KafkaServer kafka = KafkaServer.start();
                Topics topics = new Topics(kafka.bootstrapServers(), 2)) {
            String topic = topics.create("counted");
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", kafka.bootstrapServers()),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                for (UUID id : List.of(first, new UUID(2, 2), first, new UUID(1, 3))) {
                    producer.send(record(topic, id)).get();
                }
            }
            Topics.Counted counted = topics.count(topic);
            assertThat(counted.records()).isEqualTo(4);
            assertThat(counted.different()).isEqualTo(3);
        }
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, UUID id) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, MESSAGE);
        record.headers().add("event-id", id.toString().getBytes(StandardCharsets.US_ASCII));
        return record;
    }
}
