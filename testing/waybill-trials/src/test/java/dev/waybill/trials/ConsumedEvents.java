package dev.waybill.trials;

import dev.waybill.EventIds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes events to a topic as a relay would, and reads topics and offsets. */
final class ConsumedEvents {
    private final String topic;

    ConsumedEvents(String topic) {
        this.topic = topic;
    }

    /**
     * Sends each event one to five times, all of them shuffled.
     *
     * @return the ids
     */
    List<String> sendShuffled(int events, int keys, Random random) {
        Shuffled shuffled = Shuffled.of(events, keys, random);
        send(shuffled.deliveries().stream()
                .map(delivery -> record(delivery.key(), delivery.value()))
                .toList());
        return shuffled.ids();
    }

    String send(String key, String data) {
        String id = EventIds.next();
        send(key, Shuffled.envelope(id, data));
        return id;
    }

    void send(String key, byte[] value) {
        send(List.of(record(key, value)));
    }

    void sendRaw(List<HostileMessages.Raw> messages) {
        send(messages.stream()
                .map(message -> {
                    ProducerRecord<byte[], byte[]> sent = new ProducerRecord<>(
                            topic,
                            message.key() == null ? null : message.key().getBytes(StandardCharsets.UTF_8),
                            message.value());
                    message.headers().forEach((name, value) -> sent.headers().add(name, value));
                    return sent;
                })
                .toList());
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records) {
        List<Future<RecordMetadata>> acknowledgements = new ArrayList<>();
        try {
            records.forEach(each -> acknowledgements.add(Producer.SHARED.send(each)));
            for (Future<RecordMetadata> acknowledgement : acknowledgements) {
                acknowledgement.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("Kafka did not take what the trial sends.", e);
        }
    }

    private ProducerRecord<byte[], byte[]> record(String key, byte[] value) {
        return new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value);
    }

    /** Number of messages of the topic that a group has committed. */
    long committed(String group) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(group)) {
            List<TopicPartition> partitions = partitions(consumer);
            return consumer.committed(Set.copyOf(partitions)).values().stream()
                    .mapToLong(offset -> offset == null ? 0 : offset.offset())
                    .sum();
        }
    }

    long sent() {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("nobody")) {
            return consumer.endOffsets(partitions(consumer)).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    List<ConsumerRecord<byte[], byte[]>> everything() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        long end = sent();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("nobody")) {
            List<TopicPartition> partitions = partitions(consumer);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (records.size() < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        return consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
    }

    /** Opened on first use; it ends with the JVM, as the servers do. */
    private static final class Producer {
        static final KafkaProducer<byte[], byte[]> SHARED = new KafkaProducer<>(
                Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String group) {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        TrialServers.kafka().bootstrapServers(),
                        ConsumerConfig.GROUP_ID_CONFIG,
                        group,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
