package dev.waybill.pubsub;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Utf8;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A batch and what becomes of its messages. Answered under the session's lock, completed outside of it. */
final class PublishedBatch {
    private final long number;
    private final List<OutboundMessage> messages;
    private final @Nullable Delivery[] outcomes;
    private final CompletableFuture<List<Delivery>> stage = new CompletableFuture<>();
    private int open;

    PublishedBatch(long number, List<OutboundMessage> messages) {
        this.number = number;
        this.messages = messages;
        this.outcomes = new Delivery[messages.size()];
        this.open = messages.size();
    }

    long number() {
        return number;
    }

    /**
     * Each message is answered once.
     *
     * @return whether it was the last, and the batch is to be completed
     */
    boolean answer(int index, Delivery outcome) {
        outcomes[index] = outcome;
        return --open == 0;
    }

    void complete() {
        stage.complete(Arrays.stream(outcomes).map(Objects::requireNonNull).toList());
    }

    boolean isComplete() {
        return stage.isDone();
    }

    CompletableFuture<List<Delivery>> stage() {
        return stage;
    }

    /** A message's place in its batch. */
    record Place(PublishedBatch batch, int index, long weight) {
        static Place of(PublishedBatch batch, int index) {
            return new Place(batch, index, Letter.weight(batch.messages.get(index)));
        }

        OutboundMessage message() {
            return batch.messages.get(index);
        }

        Utf8 eventId() {
            return message().event().id();
        }
    }
}
