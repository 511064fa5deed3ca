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

/** Hands dead letters to their destination, one thread at a time, as a destination wants it. */
final class DeadLetterPost {
    private final Destination destination;
    private final Duration answerWithin;
    private final PublishLog log = new PublishLog();
    private boolean away;

    DeadLetterPost(Destination destination, Duration answerWithin) {
        this.destination = destination;
        this.answerWithin = answerWithin;
    }

    /** What became of a letter. */
    sealed interface Answer {
        Answer TAKEN = new Taken();

        /** The destination has it. */
        record Taken() implements Answer {}

        /** Not now; try again later. So long as nobody makes the place for letters, or allows it, this is the answer, too. */
        record NotNow(String why) implements Answer {}

        /** The destination cannot carry this letter, wherever it would go. */
        record DoesNotFit(String why) implements Answer {}
    }

    /** Whether it is known before sending that the destination takes nothing so large. */
    boolean isTooLarge(long bytes) {
        return bytes > destination.guarantees().maxMessageBytes();
    }

    /** Always completes, and never with a failure. */
    synchronized CompletionStage<Answer> post(OutboundMessage letter) {
        CompletableFuture<List<Delivery>> answer = new CompletableFuture<>();
        Seen seen = log.next();
        try {
            if (away) {
                // The destination learns that its absence was noticed, and opens a new connection.
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
