package dev.waybill.bench.systems;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** Topics that others fill, and what a consumer with {@code read_committed} finds in them. */
public final class Arrivals implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String bootstrapServers;
    private final Topics topics;

    public Arrivals(String bootstrapServers, int partitions) {
        this.bootstrapServers = bootstrapServers;
        this.topics = new Topics(bootstrapServers, partitions);
    }

    /** Creates an empty topic. */
    public String topic(String prefix) throws InterruptedException {
        return topics.create(prefix);
    }

    /**
     * Waits for all records of a topic.
     *
     * @return records per second, from the first arrival to the last by the broker's clock
     */
    public double awaitRate(String topic, int events) {
        long offsets = events;
        while (true) {
            // Ends of transactions have offsets, too.
            offsets = awaitOffsets(topic, offsets) + 1;
            Topics.Counted counted = topics.count(topic);
            if (counted.records() >= events) {
                return counted.rate();
            }
        }
    }

    private long awaitOffsets(String topic, long offsets) {
        long arrived = topics.endOffsets(topic);
        long progressed = System.nanoTime();
        while (arrived < offsets) {
            LockSupport.parkNanos(BETWEEN_LOOKS);
            long now = topics.endOffsets(topic);
            if (now > arrived) {
                arrived = now;
                progressed = System.nanoTime();
            } else if (System.nanoTime() - progressed > PATIENCE.toNanos()) {
                throw new IllegalStateException("Topic " + topic + " has " + arrived + " of " + offsets
                        + " offsets, and none came for " + PATIENCE.toSeconds() + " s.");
            }
        }
        return arrived;
    }

    /**
     * What each partition contains, for a comparison with another topic: a hash of the keys, values and headers of this name, in
     * their order.
     */
    public Map<Integer, String> contents(String topic, String header) {
        Map<Integer, MessageDigest> digests = new TreeMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = Topics.consumer(bootstrapServers)) {
            List<TopicPartition> all = topics.partitions(topic);
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> end = consumer.endOffsets(all);
            while (end.entrySet().stream().anyMatch(each -> consumer.position(each.getKey()) < each.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    MessageDigest digest = digests.computeIfAbsent(record.partition(), partition -> sha256());
                    add(digest, record.key());
                    add(digest, record.value());
                    for (Header each : record.headers().headers(header)) {
                        add(digest, each.value());
                    }
                }
            }
        }
        Map<Integer, String> contents = new TreeMap<>();
        digests.forEach(
                (partition, digest) -> contents.put(partition, HexFormat.of().formatHex(digest.digest())));
        return contents;
    }

    private static void add(MessageDigest digest, byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    public void delete(String topic) {
        topics.delete(topic);
    }

    @Override
    public void close() {
        topics.close();
    }
}
