package dev.waybill.server.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics of one partition at a Kafka, written and read by a test. */
final class Topics implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Map<String, Object> client;
    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;

    Topics(String bootstrapServers) {
        client = Map.of("bootstrap.servers", bootstrapServers);
        admin = Admin.create(client);
        consumer = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static String unused(String name) {
        return name + "-" + NUMBER.incrementAndGet();
    }

    String create(String topic) throws InterruptedException, ExecutionException {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        return topic;
    }

    void send(String topic, byte[] value, Map<String, String> headers) throws InterruptedException, ExecutionException {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, value);
            headers.forEach((name, text) -> message.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
            producer.send(message).get();
        }
    }

    synchronized long count(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        return consumer.endOffsets(List.of(partition)).get(partition);
    }

    /** Everything in the topic, in its order. */
    synchronized List<String> values(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        long end = count(topic);
        List<String> values = new ArrayList<>();
        while (consumer.position(partition) < end) {
            consumer.poll(Duration.ofMillis(100))
                    .forEach(each -> values.add(Optional.ofNullable(each.value())
                            .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                            .orElse("")));
        }
        return values;
    }

    @Override
    public void close() {
        consumer.close();
        admin.close();
    }
}
