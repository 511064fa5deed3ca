package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Untraced;
import dev.waybill.spi.support.Sessions;
import dev.waybill.spi.support.Sessions.Session;
import dev.waybill.spi.transaction.TransactionalDestination;
import dev.waybill.spi.transaction.TransactionalWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Kafka, through an idempotent producer with acks=all. Within a topic the events of a key arrive in order, however many are
 * in flight. {@code publish} blocks while the producer's buffer is full, or while the metadata of a topic is missing after brokers
 * have left; after five seconds of that Kafka counts as unavailable.
 *
 * <p>A session ends when Kafka is unavailable or the relay aborts ({@link ProducerSession}, {@link Sessions}).
 *
 * <p>If only some partitions are unavailable, their messages are answered InDoubt without being sent, and all others continue
 * ({@link PartitionWatch}, {@link UnavailablePartitions}).
 */
public final class KafkaDestination implements TransactionalDestination {
    private final KafkaOptions options;
    private final ClientProperties properties;
    private final KafkaErrors errors;
    private final TopicLookup lookup;
    private final Sessions<Session> sessions;
    private final PositionsTopic positions;
    private final AtomicReference<@Nullable KafkaTransactions> writer = new AtomicReference<>();

    private KafkaDestination(KafkaOptions options) {
        this.options = options;
        this.properties = new ClientProperties(options);
        this.errors = new KafkaErrors(options.bootstrapServers());
        this.lookup = new TopicLookup(properties, options, errors);
        UnavailablePartitions away = new UnavailablePartitions(lookup);
        SharedBySessions shared = new SharedBySessions(
                () -> new ProducerLife(new KafkaProducer<>(properties.producer()), properties.keysDecidePartitions()),
                errors,
                lookup,
                away,
                new PartitionWatch(lookup, away, errors, options.deliveryTimeout()));
        this.sessions = new Sessions<>(toString(), () -> open(shared));
        this.positions = new PositionsTopic(options, properties, errors);
    }

    /**
     * Connects when the first event is published, so Kafka need not be available yet.
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
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return sessions.publish(batch, seen);
    }

    private Session open(SharedBySessions shared) {
        try {
            return new ProducerSession(shared, properties.topicIdleNanos(), options.deliveryTimeout());
        } catch (KafkaException e) {
            return new Sessions.NotOpened(errors.unavailable(e));
        }
    }

    @Override
    public TransactionalWriter openWriter(String id) {
        return Untraced.call(() -> {
            positions.require();
            ProducerLife life = transactional(id);
            TopicQuestions topics = new TopicQuestions(properties, errors, options.topicTimeout());
            boolean open = false;
            try {
                KafkaTransactions opened = new KafkaTransactions(id, life, positions, topics, errors);
                writer.set(opened);
                open = true;
                return opened;
            } catch (KafkaException | IllegalStateException e) {
                throw new DestinationUnavailableException(errors.unavailable(e).error(), e);
            } finally {
                if (!open) {
                    life.closeElsewhere(Duration.ZERO, Duration.ZERO);
                    topics.close();
                }
            }
        });
    }

    private ProducerLife transactional(String id) {
        try {
            return new ProducerLife(
                    new KafkaProducer<>(properties.transactional(id)), properties.keysDecidePartitions());
        } catch (KafkaException e) {
            throw new DestinationUnavailableException(errors.unavailable(e).error(), e);
        }
    }

    @Override
    public void abort() {
        sessions.abort();
        killWriter();
    }

    private void killWriter() {
        @Nullable KafkaTransactions current = writer.getAndSet(null);
        if (current != null) {
            current.kill();
        }
    }

    @Override
    public void close() {
        sessions.close();
        killWriter();
        lookup.close();
    }

    @Override
    public String toString() {
        return "Kafka at " + options.bootstrapServers();
    }
}
