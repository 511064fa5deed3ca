package dev.waybill.inbox;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.PublishLog;
import dev.waybill.spi.Seen;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends dead letters to their destination, one thread at a time as destinations require. */
final class DeadLetterSender {
    private final Destination destination;
    private final Duration answerWithin;
    private final PublishLog log = new PublishLog();
    private boolean away;

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
    synchronized CompletionStage<Answer> send(OutboundMessage letter) {
        CompletableFuture<List<Delivery>> answer = new CompletableFuture<>();
        Seen seen = log.next();
        try {
            if (away) {
                // Tells the destination that the outage was seen, so that it opens a new connection.
                destination.abort();
                away = false;
            }
            destination.publish(List.of(letter), seen).whenComplete((deliveries, failure) -> {
                if (failure == null) {
                    answer.complete(deliveries);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
        return answer.orTimeout(answerWithin.toMillis(), TimeUnit.MILLISECONDS)
                .handle((deliveries, failure) -> judge(seen, deliveries, failure));
    }

    private synchronized Answer judge(Seen seen, @Nullable List<Delivery> deliveries, @Nullable Throwable failure) {
        log.takenIn(seen);
        if (failure != null || deliveries == null || deliveries.size() != 1) {
            away = true;
            return new Answer.NotNow("the destination failed"
                    + (failure == null ? "" : ": " + failure.getClass().getName()));
        }
        Delivery delivery = deliveries.get(0);
        return switch (delivery.kind()) {
            case DELIVERED -> Answer.TAKEN;
            case REFUSED ->
                delivery instanceof Delivery.Refused refused && refused.unfit()
                        ? new Answer.DoesNotFit(delivery.error())
                        : new Answer.NotNow(delivery.error());
            case RETRY, BEHIND, IN_DOUBT -> new Answer.NotNow(delivery.error());
            case UNAVAILABLE -> {
                away = true;
                yield new Answer.NotNow(delivery.error());
            }
        };
    }
}
