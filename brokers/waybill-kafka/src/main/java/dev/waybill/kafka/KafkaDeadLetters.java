package dev.waybill.kafka;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.MessageLeftOutException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.LeftOut;
import dev.waybill.format.MessageHead;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.SourceException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Dead letters in Kafka. A single message cannot be deleted from a topic, so a letter that was sent back or discarded is marked in
 * its partition by a record without value, whose headers name the letter, the action and the operator.
 *
 * <p>A message that did not fit into its letter is read from its original place, as long as Kafka retains it there.
 */
public final class KafkaDeadLetters implements DeadLetterBox, AutoCloseable {
    private final LetterReader reader;
    private final LetterCounter counter;
    private final Producer<byte[], byte[]> producer;

    private KafkaDeadLetters(LetterReader reader, LetterCounter counter, Producer<byte[], byte[]> producer) {
        this.reader = reader;
        this.counter = counter;
        this.producer = producer;
    }

    /**
     * @param reading Kafka's consumer properties, {@code bootstrap.servers} at least
     * @param sending how messages are sent back
     */
    public static KafkaDeadLetters of(Map<String, ?> reading, KafkaOptions sending) {
        Map<String, Object> properties = new HashMap<>(reading);
        properties.put("enable.auto.commit", "false");
        // The topic that a letter names may not exist.
        properties.put("allow.auto.create.topics", "false");
        // A fetch at the end of a partition waits for more data, and delays the next request on its connection.
        properties.putIfAbsent("fetch.max.wait.ms", "20");
        return new KafkaDeadLetters(
                new LetterReader(properties),
                new LetterCounter(properties),
                new KafkaProducer<>(
                        sending.producerProperties(), new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /** Reads the topic twice; holds no more letters than requested. */
    @Override
    public List<DeadLetterEntry> list(String topic, int atMost) {
        return reader.oldest(topic, atMost);
    }

    @Override
    public Set<String> topics() {
        return counter.topics();
    }

    /** Of a larger topic, only the newest records are read. */
    @Override
    public List<DeadLetterCount> count(Collection<String> topics, int atMost) {
        return counter.count(topics, atMost);
    }

    @Override
    public Optional<DeadLetterEntry> find(String topic, String place) {
        return reader.find(topic, place).map(letter -> DeadLetterEntry.of(topic, letter));
    }

    @Override
    public boolean sendBack(DeadLetterEntry letter, Actor by) {
        Optional<KafkaMessage> found = reader.find(letter.topic(), letter.place());
        if (found.isEmpty()) {
            return false;
        }
        DeadLetterBody body = letter.read(found.get());
        if (!ofOrigin(letter, () -> reader.hasTopic(letter.origin()))) {
            throw new LetterStaysException(
                    letter,
                    "Kafka has no topic " + letter.origin()
                            + ", the origin of the message: create it, or discard the letter");
        }
        send(
                letter,
                letter.make(() -> body.leftOut()
                        .map(message -> fromItsPlace(letter, message))
                        .orElseGet(() -> fromLetter(letter, found.get(), body))));
        send(letter, DoneMark.on(found.get(), "sent back", by));
        return true;
    }

    private static ProducerRecord<byte[], byte[]> fromLetter(
            DeadLetterEntry letter, KafkaMessage message, DeadLetterBody body) {
        MessageHead head = MessageHead.of(message, body);
        ProducerRecord<byte[], byte[]> back = new ProducerRecord<>(letter.origin(), head.key(), body.original());
        for (Header header : head.headers()) {
            back.headers().add(header.name(), header.value());
        }
        return back;
    }

    private ProducerRecord<byte[], byte[]> fromItsPlace(DeadLetterEntry letter, LeftOut message) {
        KafkaMessage original = LetterPlace.in(letter.origin(), message.place())
                .flatMap(place -> ofOrigin(letter, () -> reader.at(place)))
                .filter(there -> message.isOf(there.value()))
                .orElseThrow(() -> new MessageLeftOutException(letter, message.place(), "Kafka no longer holds it"));
        ProducerRecord<byte[], byte[]> back = new ProducerRecord<>(
                letter.origin(), original.key(), original.source().value());
        original.source().headers().forEach(back.headers()::add);
        return back;
    }

    @Override
    public boolean discard(DeadLetterEntry letter, Actor by) {
        Optional<KafkaMessage> found = reader.find(letter.topic(), letter.place());
        found.ifPresent(message -> send(letter, DoneMark.on(message, "discarded", by)));
        return found.isPresent();
    }

    private void send(DeadLetterEntry letter, ProducerRecord<byte[], byte[]> message) {
        try {
            producer.send(message).get();
        } catch (ExecutionException | KafkaException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            if (isOfThisMessage(cause)) {
                throw new LetterStaysException(
                        letter, "Kafka refuses a message for " + message.topic() + " (" + cause.getMessage() + ")");
            }
            throw new SourceException(
                    "Kafka did not accept a message for " + message.topic() + " (" + e.getMessage()
                            + "); the dead letter is unchanged.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SourceException("Interrupted; the dead letter may have been sent back without a mark.", e);
        }
    }

    /** The letter's author chose the topic; a forbidden one is not a failure of the broker. */
    private static <R> R ofOrigin(DeadLetterEntry letter, Supplier<R> asking) {
        try {
            return asking.get();
        } catch (SourceException e) {
            Throwable cause = e.getCause();
            if (cause != null && isOfThisMessage(cause)) {
                throw new LetterStaysException(
                        letter, "Kafka refuses the topic " + letter.origin() + " (" + cause.getMessage() + ")");
            }
            throw e;
        }
    }

    private static boolean isOfThisMessage(Throwable error) {
        return error instanceof InvalidTopicException
                || error instanceof TopicAuthorizationException
                || error instanceof RecordTooLargeException
                || error instanceof RecordBatchTooLargeException
                || error instanceof InvalidRecordException;
    }

    @Override
    public void close() {
        producer.close();
    }
}
