package dev.waybill.spi.support;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A published batch and the answers to its messages. The first answer to a message counts, from whichever thread; later ones are
 * ignored. An answer is written before the count of open messages is decremented, so the thread that gives the last answer sees
 * all of them. Safe for use by many threads.
 */
public final class InFlightBatch {
    private static final VarHandle ANSWERED = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final byte NO = 0;
    private static final byte YES = 1;

    private final List<OutboundMessage> messages;
    private final Seen seen;
    private final byte[] answered;
    private final AtomicInteger open;
    private final CompletableFuture<List<Delivery>> outcomes = new CompletableFuture<>();
    /** Null for a delivered message, and null as a whole while no message has failed. */
    private @Nullable Delivery @Nullable [] failures;

    public InFlightBatch(List<OutboundMessage> messages, Seen seen) {
        this.messages = messages;
        this.seen = seen;
        this.answered = new byte[messages.size()];
        this.open = new AtomicInteger(messages.size());
        if (messages.isEmpty()) {
            complete();
        }
    }

    /** What the publisher had seen when it published the batch. */
    public Seen seen() {
        return seen;
    }

    public List<OutboundMessage> messages() {
        return messages;
    }

    /** Number of messages without an answer. */
    public int open() {
        return open.get();
    }

    /** The messages without an answer, in order. */
    public List<Place> openPlaces() {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < answered.length; i++) {
            if ((byte) ANSWERED.getVolatile(answered, i) == NO) {
                places.add(new Place(this, i));
            }
        }
        return places;
    }

    /** @return whether it was the last answer; then call {@link #complete()} */
    public boolean answer(int index, Delivery outcome) {
        if (!ANSWERED.compareAndSet(answered, index, NO, YES)) {
            return false;
        }
        if (outcome != Delivery.DELIVERED) {
            failed(index, outcome);
        }
        return open.decrementAndGet() == 0;
    }

    private synchronized void failed(int index, Delivery outcome) {
        @Nullable Delivery[] all = failures;
        if (all == null) {
            all = new Delivery[messages.size()];
            failures = all;
        }
        all[index] = outcome;
    }

    /** Notifies the publisher. Call it without locks, because the publisher's code runs on this thread. */
    public void complete() {
        outcomes.complete(read());
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

    /** The answers to all messages, in order. */
    public CompletableFuture<List<Delivery>> outcomes() {
        return outcomes;
    }

    /** One message of a batch. */
    public record Place(InFlightBatch batch, int index) {
        public OutboundMessage message() {
            return batch.messages.get(index);
        }

        public Utf8 orderKey() {
            return message().event().orderKey();
        }

        public Utf8 eventId() {
            return message().event().id();
        }

        /** @return whether it was the last answer of its batch; then the batch must be completed */
        public boolean answer(Delivery outcome) {
            return batch.answer(index, outcome);
        }

        /** Whether it was published later than another. */
        boolean isAfter(Place other) {
            long number = batch.seen.number();
            long others = other.batch.seen.number();
            return number == others ? index > other.index : number > others;
        }
    }
}
