package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Untraced;
import dev.waybill.spi.transaction.TransactionalWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
 * speaks of the message, or if the exception names its topic. All others are behind it, and are sent again.
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

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch) {
        return Untraced.call(() -> {
            Answering answering = new Answering(batch.size());
            try {
                begin();
            } catch (KafkaException | IllegalStateException e) {
                answering.answerAll(errors.unavailable(e));
                return answering.done;
            }
            for (int i = 0; i < batch.size(); i++) {
                send(batch.get(i), i, answering);
            }
            return answering.done;
        });
    }

    private void begin() {
        if (!begun) {
            life.producer().beginTransaction();
            refused.set(false);
            begun = true;
        }
    }

    /** A topic is looked up first: the producer would wait for a missing one, and not tell it from brokers that are away. */
    private void send(OutboundMessage message, int index, Answering answering) {
        @Nullable Delivery absent = topics.whyAbsent(message.topic());
        if (absent != null) {
            answering.answer(index, absent);
            return;
        }
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
        Delivery outcome = errors.whenSending(message.topic(), error);
        if (error instanceof TopicAuthorizationException forbidden) {
            return forbidden.unauthorizedTopics().contains(message.topic()) ? outcome : Delivery.BEHIND;
        }
        if (error instanceof InvalidTopicException invalid) {
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
        Untraced.run(() -> complete(() -> {
            begin();
            // If it fails, so does the commit.
            var unused = life.producer().send(positions.record(id, position));
            life.producer().commitTransaction();
        }));
    }

    @Override
    public void abort() {
        if (begun) {
            complete(() -> life.producer().abortTransaction());
        }
    }

    private void complete(Runnable end) {
        try {
            end.run();
            begun = false;
        } catch (KafkaException | IllegalStateException e) {
            Unavailable why = errors.unavailable(e);
            throw new DestinationUnavailableException(why.error(), e);
        }
    }

    /** Ends it at once, on any thread: whatever it is doing fails. */
    void kill() {
        life.closeElsewhere(Duration.ZERO, Duration.ZERO);
    }

    @Override
    public void close() {
        life.closeElsewhere(begun ? Duration.ZERO : CLOSE_WITHIN, CLOSE_WITHIN);
        topics.close();
    }

    /** The answers to one publish. */
    private static final class Answering {
        private final CompletableFuture<List<Delivery>> done = new CompletableFuture<>();
        private final Delivery[] answers;
        private final AtomicInteger open;

        Answering(int messages) {
            this.answers = new Delivery[messages];
            Arrays.fill(answers, Delivery.DELIVERED);
            this.open = new AtomicInteger(messages);
        }

        /** Decrementing makes the answer visible to the thread that completes. */
        void answer(int index, Delivery delivery) {
            answers[index] = delivery;
            if (open.decrementAndGet() == 0) {
                done.complete(Collections.unmodifiableList(Arrays.asList(answers)));
            }
        }

        void answerAll(Delivery delivery) {
            for (int i = 0; i < answers.length; i++) {
                answer(i, delivery);
            }
        }
    }
}
