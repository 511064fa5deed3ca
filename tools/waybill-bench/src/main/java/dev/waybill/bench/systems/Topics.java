package dev.waybill.bench.systems;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
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
        return ends(topic).values().stream().mapToLong(Long::longValue).sum();
    }

    /** The end of each partition. */
    Map<TopicPartition, Long> ends(String topic) {
        return consumer.endOffsets(partitions(topic));
    }

    /**
     * Records of a topic.
     *
     * @param different how many ids they have in the header {@code event-id}
     * @param atFirst those with the time of the first
     * @param millis from the first to the last
     */
    record Counted(long records, long different, long atFirst, long millis) {
        /** Records a second, from the first to the last. */
        double rate() {
            return 1000.0 * records / Math.max(1, millis);
        }

        /**
         * Records a second after the first ones, whose own time is not a part of the time that is measured. That makes a
         * difference if a large part of all records arrives at once.
         */
        double rateAfterFirst() {
            return atFirst == records ? rate() : 1000.0 * (records - atFirst) / Math.max(1, millis);
        }
    }

    /** Reads the topic from its beginning, to its end or until nothing more comes. */
    Counted count(String topic) {
        Map<TopicPartition, Long> beginning = new HashMap<>();
        partitions(topic).forEach(partition -> beginning.put(partition, 0L));
        return count(topic, beginning);
    }

    /** @param from where it begins to read */
    Counted count(String topic, Map<TopicPartition, Long> from) {
        Collection<TopicPartition> all = partitions(topic);
        consumer.assign(all);
        from.forEach(consumer::seek);
        NavigableMap<Long, Long> byTime = new TreeMap<>();
        LongStream.Builder ids = LongStream.builder();
        Map<TopicPartition, Long> end = consumer.endOffsets(all);
        long quietSince = System.nanoTime();
        while (end.entrySet().stream().anyMatch(each -> consumer.position(each.getKey()) < each.getValue())
                && System.nanoTime() - quietSince < QUIET_NANOS) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                byTime.merge(record.timestamp(), 1L, Long::sum);
                Header id = record.headers().lastHeader("event-id");
                if (id != null) {
                    ids.add(hash(id.value()));
                }
                quietSince = System.nanoTime();
            }
        }
        consumer.unsubscribe();
        if (byTime.isEmpty()) {
            return new Counted(0, 0, 0, 0);
        }
        return new Counted(
                byTime.values().stream().mapToLong(Long::longValue).sum(),
                different(ids.build().toArray()),
                byTime.firstEntry().getValue(),
                byTime.lastKey() - byTime.firstKey());
    }

    /** Of a UUID: different for all events of a drain. */
    private static long hash(byte[] id) {
        UUID uuid = UUID.fromString(new String(id, StandardCharsets.US_ASCII));
        return 31 * uuid.getMostSignificantBits() + uuid.getLeastSignificantBits();
    }

    private static long different(long[] ids) {
        Arrays.parallelSort(ids);
        return IntStream.range(0, ids.length)
                .filter(i -> i == 0 || ids[i] != ids[i - 1])
                .count();
    }

    @Override
    public void close() {
        consumer.close();
        admin.close();
    }
}
