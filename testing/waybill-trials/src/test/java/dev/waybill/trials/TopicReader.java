package dev.waybill.trials;

import dev.waybill.format.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the committed messages of topics from the beginning to their current end; later reads continue from there. */
final class TopicReader implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final List<Delivered> stream = new ArrayList<>();

    TopicReader(Collection<String> topics) {
        this(TrialServers.kafka().bootstrapServers(), topics);
    }

    TopicReader(String bootstrapServers, Collection<String> topics) {
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        for (String topic : topics) {
            consumer.partitionsFor(topic).forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** All available messages, each partition in order. */
    List<Delivered> read() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(Duration.ofMillis(100)).forEach(message -> stream.add(delivered(message)));
        }
        return stream;
    }

    private static Delivered delivered(ConsumerRecord<byte[], byte[]> message) {
        String epoch = header(message, Stamp.EPOCH);
        return new Delivered(
                UUID.fromString(header(message, HeaderNames.EVENT_ID)),
                message.topic(),
                Long.parseLong(epoch),
                Instant.ofEpochMilli(message.timestamp()));
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        Header header = message.headers().lastHeader(name);
        if (header == null) {
            throw new AssertionError("A message on " + message.topic() + " has no header " + name + ".");
        }
        return new String(header.value(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
