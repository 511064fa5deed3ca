package dev.waybill.inbox;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.PublishLog;
import dev.waybill.spi.Seen;
import dev.waybill.spi.support.CheckedAnswers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends dead letters to their destination, one thread at a time as destinations require. */
final class DeadLetterSender {
    private static final Logger log = LoggerFactory.getLogger(DeadLetterSender.class);

    private final Destination destination;
    private final Duration answerWithin;
    private final PublishLog published = new PublishLog();
    private final AtomicBoolean unanswered = new AtomicBoolean();

    DeadLetterSender(Destination destination, Duration answerWithin) {
        this.destination = destination;
        this.answerWithin = answerWithin;
    }

    /** The result for a letter. */
    sealed interface Answer {
        Answer TAKEN = new Taken();

        /** The destination has acknowledged it. */
        record Taken() implements Answer {}

        /** Try again later. Also if the topic for letters is missing or forbidden. */
        record NotNow(String why) implements Answer {}

        /** The destination cannot carry this letter, whatever its topic. */
        record DoesNotFit(String why) implements Answer {}
    }

    /** Whether the letter exceeds the destination's maximum size. */
    boolean isTooLarge(long bytes) {
        return bytes > destination.guarantees().maxMessageBytes();
    }

    /** Always completes normally. */
    CompletionStage<Answer> send(OutboundMessage letter) {
        if (unanswered.getAndSet(false)) {
            abort();
        }
        return publish(letter);
    }

    /**
     * Ends a connection on which a letter had no answer. Without the lock: what is in flight may be answered by a thread that
     * waits for it.
     */
    private void abort() {
        try {
            destination.abort();
        } catch (Throwable e) {
            log.warn(
                    "The destination of dead letters failed to abort ({}).",
                    e.getClass().getName());
        }
    }

    private synchronized CompletionStage<Answer> publish(OutboundMessage letter) {
        CompletableFuture<CheckedAnswers> answers = new CompletableFuture<>();
        Seen seen = published.next();
        CheckedAnswers.of(destination, 1, () -> destination.publish(List.of(letter), seen), answers::complete);
        return answers.orTimeout(answerWithin.toMillis(), TimeUnit.MILLISECONDS)
                .handle((checked, timeout) -> judge(seen, checked));
    }

    /**
     * Without the lock: a destination that waits for room in {@code publish} gets it when others are answered.
     *
     * @param checked null if there was no answer in time
     */
    private Answer judge(Seen seen, @Nullable CheckedAnswers checked) {
        published.takenIn(seen);
        if (checked == null) {
            unanswered.set(true);
            return new Answer.NotNow("the destination has not answered for " + answerWithin.toSeconds() + " s");
        }
        if (checked.isBroken()) {
            unanswered.set(true);
        }
        Delivery delivery = checked.deliveries().get(0);
        return switch (delivery.kind()) {
            case DELIVERED -> Answer.TAKEN;
            case REFUSED ->
                delivery instanceof Delivery.Refused refused && refused.unfit()
                        ? new Answer.DoesNotFit(delivery.error())
                        : new Answer.NotNow(delivery.error());
            case RETRY, BEHIND, IN_DOUBT, UNAVAILABLE -> new Answer.NotNow(delivery.error());
        };
    }
}
