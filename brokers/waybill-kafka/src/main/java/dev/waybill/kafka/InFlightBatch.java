package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A batch and what becomes of its messages. The first answer to a message counts, whichever thread gives it; later ones are
 * ignored. The last answer completes the batch. An answer is written before the count goes down, so whoever takes it to
 * nought sees them all.
 */
final class InFlightBatch {
    private static final VarHandle ANSWERED = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final byte NO = 0;
    private static final byte YES = 1;

    private final long number;
    private final List<OutboundMessage> messages;
    private final byte[] answered;
    private final AtomicInteger open;
    private final CompletableFuture<List<Delivery>> outcomes = new CompletableFuture<>();
    private volatile boolean told;
    /** Nothing where a message was delivered, and nothing at all while none has failed. */
    private @Nullable Delivery @Nullable [] failures;
    /** Only where the producer chose the partition, and only of messages that are placed again. */
    private @Nullable Map<Integer, TopicPartition> failedOn;

    InFlightBatch(long number, List<OutboundMessage> messages) {
        this.number = number;
        this.messages = messages;
        this.answered = new byte[messages.size()];
        this.open = new AtomicInteger(messages.size());
        if (messages.isEmpty()) {
            complete();
        }
    }

    long number() {
        return number;
    }

    int size() {
        return messages.size();
    }

    OutboundMessage message(int index) {
        return messages.get(index);
    }

    boolean isOpen(int index) {
        return (byte) ANSWERED.getVolatile(answered, index) == NO;
    }

    /**
     * @return whether it was the last, and the batch is to be completed
     */
    boolean delivered(int index) {
        return isFirstAnswer(index) && open.decrementAndGet() == 0;
    }

    /**
     * @return whether it was the last, and the batch is to be completed
     */
    boolean failed(int index, Delivery outcome) {
        if (!isFirstAnswer(index)) {
            return false;
        }
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

    private boolean isFirstAnswer(int index) {
        return ANSWERED.compareAndSet(answered, index, NO, YES);
    }

    /** Remembers the partition that the producer had chosen for a message that is placed again. */
    synchronized void failedOn(int index, TopicPartition partition) {
        Map<Integer, TopicPartition> all = failedOn;
        if (all == null) {
            all = new HashMap<>();
            failedOn = all;
        }
        all.put(index, partition);
    }

    synchronized @Nullable TopicPartition failedOn(int index) {
        return failedOn == null ? null : failedOn.get(index);
    }

    void complete() {
        outcomes.complete(read());
        told = true;
    }

    /** Whether those who wait for it have been told: the outcomes are done before that. */
    boolean isComplete() {
        return told;
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
