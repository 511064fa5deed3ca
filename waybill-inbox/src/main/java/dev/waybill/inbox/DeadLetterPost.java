package dev.waybill.inbox;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Hands dead letters to their destination, one thread at a time, as a destination wants it. */
final class DeadLetterPost {
    private final Destination destination;
    private boolean away;

    DeadLetterPost(Destination destination) {
        this.destination = destination;
    }

    /**
     * @return nothing when the destination has it, or else why not
     */
    synchronized CompletionStage<Optional<String>> post(OutboundMessage letter) {
        if (away) {
            // Says that its absence was noticed: it begins afresh.
            destination.abort();
            away = false;
        }
        return destination.publish(List.of(letter)).handle(this::problem);
    }

    private synchronized Optional<String> problem(@Nullable List<Delivery> deliveries, @Nullable Throwable failure) {
        if (failure != null || deliveries == null || deliveries.size() != 1) {
            away = true;
            return Optional.of("the destination failed: " + failure);
        }
        Delivery delivery = deliveries.get(0);
        if (delivery instanceof Delivery.Delivered) {
            return Optional.empty();
        }
        if (delivery instanceof Delivery.Unavailable unavailable) {
            away = true;
            return Optional.of(unavailable.error());
        }
        if (delivery instanceof Delivery.InDoubt doubt) {
            return Optional.of(doubt.error());
        }
        if (delivery instanceof Delivery.Retry retry) {
            return Optional.of(retry.error());
        }
        return Optional.of(
                delivery instanceof Delivery.Refused refused
                        ? refused.error()
                        : "an earlier letter of its key is to be sent first");
    }
}
