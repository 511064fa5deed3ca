package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Untraced;
import dev.waybill.spi.transaction.TransactionalWriter;
import dev.waybill.spi.transaction.WindowPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.jspecify.annotations.Nullable;

/**
 * A transactional producer. Its transactions contain the messages and, as their last record, the position.
 *
 * <p><b>Whose failure it is.</b> After the first error of a transaction the producer fails all messages that it has not sent yet
 * with the same exception. So a message counts as refused only if it is the first one of its transaction with an exception that
 * speaks of the message, or if the exception names its topic. All others are behind it, and are sent again. A message that is
 * sent after an error fails twice: {@code send} throws, and its callback is called. The first answer counts.
 *
 * <p><b>The position is acknowledged before the commit begins.</b> Kafka's producer looks for unsent records first and takes the
 * end of the transaction from its queue afterwards. A record that is handed over between the two is committed with the next
 * transaction, or not at all.
 */
final class KafkaTransactions implements TransactionalWriter {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final String id;
    private final ProducerLife life;
    private final PositionsTopic positions;
    private final TopicQuestions topics;
    private final KafkaErrors errors;
    private final Optional<String> committed;

    private boolean begun;
    /** Whether a message of the current transaction was refused. */
    private final AtomicBoolean refused = new AtomicBoolean();

    /**
     * Fences all others with the id, and reads the committed position.
     *
     * @throws KafkaException if the producer cannot be used
     * @throws DestinationUnavailableException if the position cannot be read
     */
    KafkaTransactions(
            String id, ProducerLife life, PositionsTopic positions, TopicQuestions topics, KafkaErrors errors) {
        this.id = id;
        this.life = life;
        this.positions = positions;
        this.topics = topics;
        this.errors = errors;
        life.producer().initTransactions();
        this.committed = positions.read(id, topics);
    }

    @Override
    public Optional<String> committed() {
        return committed;
    }

    /** A transaction of a producer is committed as a whole. */
    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, IntFunction<WindowPosition> behind) {
        return Untraced.call(() -> {
            Answering answering = new Answering(batch.size());
            try {
                begin();
            } catch (KafkaException | IllegalStateException e) {
                answering.answerAll(errors.unavailable(e));
                return answering.done;
            }
            topics.beginBatch();
            @Nullable Unavailable away = null;
            for (int i = 0; i < batch.size(); i++) {
                @Nullable Delivery absent = away == null ? whyAbsent(batch.get(i).topic()) : away;
                if (absent == null) {
                    send(batch.get(i), i, answering);
                } else {
                    answering.answer(i, absent);
                }
                // Each of the others might block for seconds: a topic is looked up, its metadata is gone, or the buffer
                // is full.
                away = answering.answerTo(i) instanceof Unavailable unavailable ? unavailable : null;
            }
            return answering.done;
        });
    }

    private @Nullable Delivery whyAbsent(String topic) {
        return positions.is(topic) ? errors.reserved(topic) : topics.whyAbsent(topic);
    }

    private void begin() {
        if (!begun) {
            life.producer().beginTransaction();
            refused.set(false);
            begun = true;
        }
    }

    /** The topic is there: the producer would wait for a missing one, and not tell it from brokers that are away. */
    private void send(OutboundMessage message, int index, Answering answering) {
        try {
            var unused = life.producer()
                    .send(
                            Records.of(message, null),
                            (metadata, error) -> answering.answer(
                                    index, error == null ? Delivery.DELIVERED : failed(message, error)));
        } catch (RuntimeException e) {
            answering.answer(index, failed(message, e));
        }
    }

    private Delivery failed(OutboundMessage message, Exception error) {
        if (error.getClass() == KafkaException.class && error.getCause() instanceof KafkaException earlier) {
            // An earlier error of this transaction.
            Delivery outcome = errors.whenSending(message.topic(), earlier);
            return outcome instanceof Unavailable ? outcome : Delivery.BEHIND;
        }
        Delivery outcome = errors.whenSending(message.topic(), error);
        if (error instanceof TopicAuthorizationException forbidden) {
            return forbidden.unauthorizedTopics().contains(message.topic()) ? outcome : Delivery.BEHIND;
        }
        // A broker that refuses a message names no topic.
        if (error instanceof InvalidTopicException invalid
                && !invalid.invalidTopics().isEmpty()) {
            return invalid.invalidTopics().contains(message.topic()) ? outcome : Delivery.BEHIND;
        }
        if (outcome instanceof Refused) {
            return refused.compareAndSet(false, true) ? outcome : Delivery.BEHIND;
        }
        boolean ofAnother =
                refused.get() || KafkaErrors.isOfItsNeighbours(error) || error instanceof TransactionAbortedException;
        return ofAnother ? Delivery.BEHIND : outcome;
    }

    @Override
    public void commit(String position) {
        Untraced.run(() -> {
            try {
                begin();
                // Otherwise the producer may end the transaction without it.
                positions.awaitAcknowledgement(life.producer().send(positions.record(id, position)));
                life.producer().commitTransaction();
                begun = false;
            } catch (KafkaException | IllegalStateException e) {
                throw positions.unavailable(e);
            }
        });
    }

    @Override
    public void abort() {
        if (begun) {
            try {
                life.producer().abortTransaction();
                begun = false;
            } catch (KafkaException | IllegalStateException e) {
                throw new DestinationUnavailableException(errors.unavailable(e).error(), e);
            }
        }
    }

    /**
     * Ends it without waiting, on any thread: whatever it is doing fails within a second. An open transaction that nobody ends
     * would keep consumers of its partitions waiting until it times out.
     */
    void kill() {
        life.abortElsewhere(CLOSE_WITHIN, Duration.ZERO);
    }

    @Override
    public void close() {
        if (begun) {
            life.abortElsewhere(CLOSE_WITHIN, CLOSE_WITHIN);
        } else {
            life.closeElsewhere(CLOSE_WITHIN, CLOSE_WITHIN);
        }
        topics.close();
    }

    /** The answers to one publish: the first one for each message. */
    private static final class Answering {
        private final CompletableFuture<List<Delivery>> done = new CompletableFuture<>();
        private final AtomicReferenceArray<@Nullable Delivery> answers;
        private final AtomicInteger open;

        Answering(int messages) {
            this.answers = new AtomicReferenceArray<>(messages);
            this.open = new AtomicInteger(messages);
        }

        void answer(int index, Delivery delivery) {
            if (answers.compareAndSet(index, null, delivery) && open.decrementAndGet() == 0) {
                List<Delivery> all = new ArrayList<>(answers.length());
                for (int i = 0; i < answers.length(); i++) {
                    all.add(Objects.requireNonNull(answers.get(i), "answer"));
                }
                done.complete(Collections.unmodifiableList(all));
            }
        }

        /** Null while there is none. */
        @Nullable Delivery answerTo(int index) {
            return answers.get(index);
        }

        void answerAll(Delivery delivery) {
            for (int i = 0; i < answers.length(); i++) {
                answer(i, delivery);
            }
        }
    }
}
