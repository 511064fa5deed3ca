package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A batch and what becomes of its messages. Each is answered once, by whichever thread knows; the last answer completes
 * the batch. An answer is written before the count goes down, so whoever takes it to nought sees them all.
 */
final class InFlightBatch {
    private final long number;
    private final List<OutboundMessage> messages;
    private final AtomicInteger open;
    private final CompletableFuture<List<Delivery>> outcomes = new CompletableFuture<>();
    /** Nothing where a message was delivered, and nothing at all while none has failed. */
    private @Nullable Delivery @Nullable [] failures;

    InFlightBatch(long number, List<OutboundMessage> messages) {
        this.number = number;
        this.messages = messages;
        this.open = new AtomicInteger(messages.size());
        if (messages.isEmpty()) {
            complete();
        }
    }

    long number() {
        return number;
    }

    OutboundMessage message(int index) {
        return messages.get(index);
    }

    /**
     * @return whether it was the last, and the batch is to be completed
     */
    boolean delivered() {
        return open.decrementAndGet() == 0;
    }

    /**
     * @return whether it was the last, and the batch is to be completed
     */
    boolean failed(int index, Delivery outcome) {
        synchronized (this) {
            @Nullable Delivery[] all = failures;
            if (all == null) {
                all = new Delivery[messages.size()];
                failures = all;
            }
            all[index] = outcome;
        }
        return open.decrementAndGet() == 0;
    }

    void complete() {
        outcomes.complete(read());
    }

    boolean isComplete() {
        return outcomes.isDone();
    }

    CompletableFuture<List<Delivery>> outcomes() {
        return outcomes;
    }

    private synchronized List<Delivery> read() {
        @Nullable Delivery[] all = failures;
        if (all == null) {
            return Collections.nCopies(messages.size(), Delivery.DELIVERED);
        }
        return Arrays.stream(all)
                .map(failure -> failure == null ? Delivery.DELIVERED : failure)
                .toList();
    }
}
