package dev.waybill.trials;

import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Messages as a consumer of Kafka sees them. */
final class Messages {
    private Messages() {}

    /**
     * @param headers in order
     */
    record Message(String key, byte[] body, Map<String, String> headers) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** All messages of a topic, each partition in order. */
    static List<Message> on(String topic) {
        List<Message> messages = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> messages.add(message(record)));
            }
        }
        return messages;
    }

    static List<Message> await(String topic, int count) throws Exception {
        Await.until(count + " messages on " + topic, () -> on(topic).size() >= count);
        return on(topic);
    }

    private static Message message(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        record.headers().forEach(header -> {
            if (headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)) != null) {
                throw new AssertionError("The header " + header.key() + " is there twice.");
            }
        });
        return new Message(new String(record.key(), StandardCharsets.UTF_8), record.value(), headers);
    }
}
