package dev.waybill.trials;

import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics with one partition each as messages arrive, on a thread of its own. */
final class ArrivedOnTopics implements AutoCloseable {
    private final Map<String, List<String>> ids = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean stopping;

    ArrivedOnTopics(List<String> topics) {
        topics.forEach(topic -> ids.put(topic, new ArrayList<>()));
        thread = new Thread(this::read, "read-topics");
        thread.start();
    }

    /** Event ids in the order of the topic, repeated ones too. */
    List<String> on(String topic) {
        List<String> arrived = ids.get(topic);
        synchronized (arrived) {
            return List.copyOf(arrived);
        }
    }

    private void read() {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = ids.keySet().stream()
                    .map(topic -> new TopicPartition(topic, 0))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!stopping) {
                consumer.poll(Duration.ofMillis(100)).forEach(this::add);
            }
        }
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        List<String> arrived = ids.get(record.topic());
        synchronized (arrived) {
            arrived.add(new String(record.headers().lastHeader("event-id").value(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        stopping = true;
        Await.until("the reader has ended", () -> !thread.isAlive());
    }
}
