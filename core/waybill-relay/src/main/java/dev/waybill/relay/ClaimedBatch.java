package dev.waybill.relay;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A claimed batch that is not settled yet, with the state of each of its events. One thread. */
final class ClaimedBatch {
    final long number;
    final Batch claimed;
    final List<StoredEvent> events;
    /** Ordinal of the first event, counted over all events that the cycle has claimed. */
    final long firstOrdinal;
    /** When it was claimed, on a monotonic clock. */
    final long claimedAt;

    private final @Nullable OutboundMessage[] unsent;
    private final @Nullable Delivery[] deliveries;
    /** Settled without being sent: cannot be routed or formatted, or behind an earlier event of the key. */
    private final @Nullable Settlement[] decided;

    private final @Nullable Utf8[] orderKeys;

    private long bytes;
    private int toSend;
    private int unanswered;

    ClaimedBatch(long number, Batch claimed, long firstOrdinal, long claimedAt) {
        this.number = number;
        this.claimed = claimed;
        this.events = claimed.events();
        this.firstOrdinal = firstOrdinal;
        this.claimedAt = claimedAt;
        this.unsent = new OutboundMessage[events.size()];
        this.orderKeys = new Utf8[events.size()];
        this.deliveries = new Delivery[events.size()];
        this.decided = new Settlement[events.size()];
        this.toSend = events.size();
        this.bytes = events.stream().mapToLong(StoredEvent::bytes).sum();
    }

    long ordinal(int index) {
        return firstOrdinal + index;
    }

    Utf8 orderKey(int index) {
        Utf8 key = orderKeys[index];
        if (key == null) {
            key = events.get(index).orderKey();
            orderKeys[index] = key;
        }
        return key;
    }

    void ready(int index, OutboundMessage message) {
        unsent[index] = message;
        orderKeys[index] = message.event().orderKey();
        bytes += message.value() == events.get(index).payload() ? 0 : message.value().length;
        for (OutboundMessage.Header header : message.headers()) {
            bytes += header.value().length;
        }
    }

    /** Size of the events and of the messages made from them. */
    long bytes() {
        return bytes;
    }

    void decide(int index, Settlement settlement) {
        decided[index] = settlement;
        unsent[index] = null;
        toSend--;
    }

    boolean isUnsent(int index) {
        return unsent[index] != null;
    }

    OutboundMessage takeForSending(int index) {
        OutboundMessage message = unsent[index];
        if (message == null) {
            throw new IllegalStateException("Event " + events.get(index).id() + " was already sent or settled.");
        }
        unsent[index] = null;
        toSend--;
        unanswered++;
        return message;
    }

    void arrived(int index, Delivery delivery) {
        deliveries[index] = delivery;
        unanswered--;
    }

    boolean isAnswered() {
        return unanswered == 0;
    }

    boolean isComplete() {
        return toSend == 0 && unanswered == 0;
    }

    @Nullable Settlement decided(int index) {
        return decided[index];
    }

    /** Null if the event was not sent. */
    @Nullable Delivery delivery(int index) {
        return deliveries[index];
    }

    /** Whether the destination, or the event's part of it, was unavailable. */
    boolean isOutage(int index) {
        return deliveries[index] instanceof Delivery.Unavailable || deliveries[index] instanceof Delivery.InDoubt;
    }

    /** Events that are sent again although the destination has them, or may have them. */
    int repeats(List<Settlement> settlements) {
        int repeats = 0;
        for (int i = 0; i < settlements.size(); i++) {
            Settlement settlement = settlements.get(i);
            boolean again = settlement instanceof Settlement.RetryAt || settlement instanceof Settlement.Released;
            repeats += again && mayHaveArrived(i) ? 1 : 0;
        }
        return repeats;
    }

    /** The same if the batch is not settled. */
    int repeatsUnsettled() {
        int repeats = unanswered;
        for (int i = 0; i < deliveries.length; i++) {
            repeats += mayHaveArrived(i) ? 1 : 0;
        }
        return repeats;
    }

    private boolean mayHaveArrived(int index) {
        return deliveries[index] instanceof Delivery.Delivered || deliveries[index] instanceof Delivery.InDoubt;
    }

    boolean isAllDelivered() {
        for (Delivery delivery : deliveries) {
            if (!(delivery instanceof Delivery.Delivered)) {
                return false;
            }
        }
        return true;
    }
}
