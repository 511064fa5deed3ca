package dev.waybill.kafka;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.DeadLetterHeaders;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.SourceException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Dead letters in Kafka. A topic cannot forget one message, so what was done with a letter is written behind it, in its own
 * partition: a record without value whose headers say which letter is done with, how, and by whom.
 */
public final class KafkaDeadLetters implements DeadLetterBox, AutoCloseable {
    /** On a mark: the place of the letter that is done with. */
    static final String DONE_WITH = "dead-letter-done";

    private static final String ACTION = "dead-letter-action";
    private static final String WHO = "dead-letter-by";
    private static final String WHY = "dead-letter-why";
    private static final Duration POLL = Duration.ofMillis(200);

    private final Map<String, Object> readerProperties;
    private final Producer<byte[], byte[]> producer;

    private KafkaDeadLetters(Map<String, Object> readerProperties, Producer<byte[], byte[]> producer) {
        this.readerProperties = readerProperties;
        this.producer = producer;
    }

    /**
     * @param reading Kafka's consumer properties, {@code bootstrap.servers} at least
     * @param sending how messages are sent back
     */
    public static KafkaDeadLetters connect(Map<String, String> reading, KafkaOptions sending) {
        Map<String, Object> properties = new HashMap<>(reading);
        properties.put("enable.auto.commit", "false");
        return new KafkaDeadLetters(
                properties,
                new KafkaProducer<>(
                        sending.producerProperties(), new ByteArraySerializer(), new ByteArraySerializer()));
    }

    @Override
    public List<DeadLetterEntry> list(String topic, int atMost) {
        Map<String, DeadLetterEntry> letters = new LinkedHashMap<>();
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = partitionsOf(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(each -> takeIn(letters, each));
            }
        } catch (KafkaException e) {
            throw new SourceException("Kafka failed while dead letters of " + topic + " were read (" + e + ").", e);
        }
        return letters.values().stream().limit(atMost).toList();
    }

    private static void takeIn(Map<String, DeadLetterEntry> letters, ConsumerRecord<byte[], byte[]> each) {
        KafkaMessage message = new KafkaMessage(each);
        Optional<String> done = message.header(DONE_WITH);
        if (done.isPresent()) {
            letters.remove(done.get());
        } else {
            DeadLetterEntry.of(message.topic(), message).ifPresent(letter -> letters.put(letter.place(), letter));
        }
    }

    @Override
    public boolean sendBack(DeadLetterEntry letter, Actor by) {
        Optional<KafkaMessage> found = find(letter);
        if (found.isEmpty()) {
            return false;
        }
        KafkaMessage message = found.get();
        byte[] original = DeadLetterBody.of(message.value()).original();
        ProducerRecord<byte[], byte[]> back = new ProducerRecord<>(letter.origin(), message.key(), original);
        for (Header header : DeadLetterHeaders.original(message.headers())) {
            back.headers().add(header.name(), header.value());
        }
        send(back);
        mark(message, "sent back", by);
        return true;
    }

    @Override
    public boolean discard(DeadLetterEntry letter, Actor by) {
        Optional<KafkaMessage> found = find(letter);
        found.ifPresent(message -> mark(message, "discarded", by));
        return found.isPresent();
    }

    /** The letter, unless it is marked or gone. */
    private Optional<KafkaMessage> find(DeadLetterEntry letter) {
        List<KafkaMessage> found = new ArrayList<>();
        TopicPartition partition = partitionOf(letter);
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, offsetOf(letter));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
                    KafkaMessage message = new KafkaMessage(each);
                    if (message.place().equals(letter.place())) {
                        found.add(message);
                    } else if (message.header(DONE_WITH)
                            .filter(letter.place()::equals)
                            .isPresent()) {
                        return Optional.empty();
                    }
                }
            }
        } catch (KafkaException e) {
            throw new SourceException("Kafka failed while " + letter.place() + " was looked for (" + e + ").", e);
        }
        return found.stream().findFirst();
    }

    private static TopicPartition partitionOf(DeadLetterEntry letter) {
        String place = letter.place();
        String partition = place.substring(place.lastIndexOf('-') + 1, place.lastIndexOf('@'));
        return new TopicPartition(letter.topic(), Integer.parseInt(partition));
    }

    private static long offsetOf(DeadLetterEntry letter) {
        return Long.parseLong(letter.place().substring(letter.place().lastIndexOf('@') + 1));
    }

    private void mark(KafkaMessage letter, String action, Actor by) {
        ProducerRecord<byte[], byte[]> mark =
                new ProducerRecord<>(letter.topic(), letter.partition().partition(), letter.key(), null);
        mark.headers()
                .add(DONE_WITH, utf8(letter.place()))
                .add(ACTION, utf8(action))
                .add(WHO, utf8(by.who()))
                .add(WHY, utf8(by.why()));
        send(mark);
    }

    private void send(ProducerRecord<byte[], byte[]> message) {
        try {
            producer.send(message).get();
        } catch (ExecutionException | KafkaException e) {
            throw new SourceException(
                    "Kafka did not take a message for " + message.topic() + " (" + e.getMessage()
                            + "); the dead letter stays as it is.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SourceException("Interrupted; the dead letter may have been sent back without a mark.", e);
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(readerProperties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static List<TopicPartition> partitionsOf(Consumer<byte[], byte[]> consumer, String topic) {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic);
        return partitions == null
                ? List.of()
                : partitions.stream()
                        .map(partition -> new TopicPartition(topic, partition.partition()))
                        .toList();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close();
    }
}
