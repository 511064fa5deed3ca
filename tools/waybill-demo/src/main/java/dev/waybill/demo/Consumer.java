package dev.waybill.demo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Another service, which reads all order topics. */
final class Consumer implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private final Set<UUID> seen = new HashSet<>();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong distinct = new AtomicLong();

    Consumer(String bootstrapServers) {
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "group.id", "demo-consumer",
                        "auto.offset.reset", "earliest",
                        "metadata.max.age.ms", "500"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        this.thread = new Thread(this::read, "demo-consumer");
        thread.start();
    }

    private void read() {
        consumer.subscribe(Pattern.compile("order\\..*"));
        try {
            while (!Thread.currentThread().isInterrupted()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    received.incrementAndGet();
                    if (seen.add(eventId(record))) {
                        distinct.incrementAndGet();
                    }
                }
            }
        } catch (WakeupException e) {
            // wakeup() ends a poll.
        } finally {
            consumer.close();
        }
    }

    static UUID eventId(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader("event-id");
        String id = header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
        return id.isEmpty() ? new UUID(0, ByteBuffer.wrap(record.value()).hashCode()) : UUID.fromString(id);
    }

    long received() {
        return received.get();
    }

    long distinct() {
        return distinct.get();
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
