package dev.waybill.example.kit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Topics of a driver: to prepare Kafka, and to read everything that is in it. */
public final class KafkaTopics {
    private static final int PARTITIONS = 3;

    private final Map<String, Object> properties;

    public KafkaTopics(String bootstrapServers) {
        this.properties = Map.of("bootstrap.servers", bootstrapServers);
    }

    public void create(String... topics) throws InterruptedException {
        try (Admin admin = Admin.create(properties)) {
            admin.createTopics(Arrays.stream(topics)
                            .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                            .toList())
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka does not create the topics " + List.of(topics) + ".", e);
        }
    }

    /** Every message of the topics, in order per partition. */
    public List<ConsumerRecord<String, String>> everything(Collection<String> topics) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = topics.stream()
                    .flatMap(topic -> consumer.partitionsFor(topic).stream())
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(500)).forEach(records::add);
            }
        }
        return records;
    }

    /** A header of a message as text. */
    public static Optional<String> header(ConsumerRecord<?, ?> message, String name) {
        Header header = message.headers().lastHeader(name);
        return Optional.ofNullable(header).map(found -> new String(found.value(), StandardCharsets.UTF_8));
    }
}
