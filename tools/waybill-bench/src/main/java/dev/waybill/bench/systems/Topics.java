package dev.waybill.bench.systems;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Topics of single measurements, and what a consumer finds in them. */
final class Topics implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long QUIET_NANOS = Duration.ofSeconds(5).toNanos();

    private final int partitions;
    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private int made;

    Topics(String bootstrapServers, int partitions) {
        this.partitions = partitions;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        this.consumer = consumer(bootstrapServers);
    }

    static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "isolation.level", "read_committed",
                        "auto.offset.reset", "earliest",
                        "max.poll.records", "5000"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** An empty topic whose records have the time at which the broker stored them. */
    String create(String prefix) throws InterruptedException {
        String topic = prefix.replaceAll("[^A-Za-z0-9]+", "-") + "-" + ++made;
        NewTopic created =
                new NewTopic(topic, partitions, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime"));
        try {
            admin.createTopics(List.of(created)).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not create the topic " + topic + ": " + e.getMessage(), e);
        }
        return topic;
    }

    void delete(String topic) {
        var unused = admin.deleteTopics(List.of(topic));
    }

    List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    /** How many offsets a consumer could have read, of all partitions. */
    long endOffsets(String topic) {
        return consumer.endOffsets(partitions(topic)).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Records of a topic, and the time from the first to the last. */
    record Counted(long records, long millis) {}

    /** Reads the topic from its beginning, to its end or until nothing more comes. */
    Counted count(String topic) {
        Collection<TopicPartition> all = partitions(topic);
        consumer.assign(all);
        consumer.seekToBeginning(all);
        long records = 0;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        Map<TopicPartition, Long> end = consumer.endOffsets(all);
        long quietSince = System.nanoTime();
        while (end.entrySet().stream().anyMatch(each -> consumer.position(each.getKey()) < each.getValue())
                && System.nanoTime() - quietSince < QUIET_NANOS) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                records++;
                first = Math.min(first, record.timestamp());
                last = Math.max(last, record.timestamp());
                quietSince = System.nanoTime();
            }
        }
        consumer.unsubscribe();
        return new Counted(records, records == 0 ? 0 : last - first);
    }

    @Override
    public void close() {
        consumer.close();
        admin.close();
    }
}
