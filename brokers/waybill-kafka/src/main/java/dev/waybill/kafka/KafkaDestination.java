package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Kafka, through an idempotent producer with acks=all. Within a topic the events of a key arrive in order, however many are
 * out. {@code publish} blocks while the producer's buffer is full, or when brokers have gone and a topic is out of sight; after
 * five seconds of that Kafka counts as unavailable.
 *
 * <p>A producer lives until Kafka is unavailable or the relay aborts ({@link ProducerSession}); the next publish has a new
 * one. After a failure that the relay may not have seen, a publish is answered Unavailable without being sent, for it
 * could hold followers of what has just failed.
 *
 * <p>When only some partitions are away their messages are answered InDoubt, at once as long as they stay away, and all others
 * go on ({@link PartitionWatch}, {@link AwayPartitions}).
 */
public final class KafkaDestination implements Destination {
    private final KafkaOptions options;
    private final ClientProperties properties;
    private final KafkaErrors errors;
    private final TopicLookup lookup;
    private final SharedBySessions shared;
    private final AtomicReference<@Nullable ProducerSession> session = new AtomicReference<>();
    private volatile boolean closed;

    private KafkaDestination(KafkaOptions options) {
        this.options = options;
        this.properties = new ClientProperties(options);
        this.errors = new KafkaErrors(options.bootstrapServers());
        this.lookup = new TopicLookup(properties, options, errors);
        AwayPartitions away = new AwayPartitions(lookup);
        this.shared = new SharedBySessions(
                () -> new ProducerLife(new KafkaProducer<>(properties.producer()), properties.keysDecidePartitions()),
                errors,
                lookup,
                away,
                new PartitionWatch(lookup, away, errors, options.deliveryTimeout()));
    }

    /**
     * Connects when the first event is published, so Kafka need not be there yet.
     *
     * @throws IllegalArgumentException when the options cannot be used; the message says which and why
     */
    public static KafkaDestination of(KafkaOptions options) {
        return new KafkaDestination(options);
    }

    /**
     * Like {@link #of(KafkaOptions)} with the default times.
     *
     * @param properties Kafka's own, {@code bootstrap.servers} at least
     */
    public static KafkaDestination of(Map<String, String> properties) {
        return of(KafkaOptions.of(properties));
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(KeyOrder.KEPT_IN_FLIGHT, properties.maxRequestSize());
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch) {
        if (closed) {
            return unavailable(batch, closedByUs());
        }
        ProducerSession current = session.get();
        if (current == null) {
            try {
                current = open();
            } catch (KafkaException e) {
                return unavailable(batch, errors.unavailable(e));
            }
        }
        Unavailable end = current.end();
        if (end == null) {
            return current.publish(batch);
        }
        // The relay takes in what is complete now before it publishes again.
        if (current.isComplete()) {
            session.compareAndSet(current, null);
        }
        return unavailable(batch, end);
    }

    @Override
    public void abort() {
        ProducerSession current = session.getAndSet(null);
        if (current != null) {
            current.abort(new Unavailable("Kafka at " + options.bootstrapServers()
                    + " had not acknowledged when the relay stopped publishing; the event is sent again"));
        }
    }

    @Override
    public void close() {
        closed = true;
        ProducerSession current = session.getAndSet(null);
        if (current != null) {
            current.close(closedByUs(), options.deliveryTimeout());
        }
        lookup.close();
    }

    private ProducerSession open() {
        ProducerSession opened = new ProducerSession(shared, properties.topicIdleNanos());
        session.set(opened);
        return opened;
    }

    private Unavailable closedByUs() {
        return new Unavailable("the connection to Kafka at " + options.bootstrapServers() + " is closed");
    }

    private static CompletionStage<List<Delivery>> unavailable(List<OutboundMessage> batch, Unavailable why) {
        return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), why));
    }

    @Override
    public String toString() {
        return "Kafka at " + options.bootstrapServers();
    }
}
