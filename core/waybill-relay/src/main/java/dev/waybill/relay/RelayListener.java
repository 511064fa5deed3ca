package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Is told what a relay does, for metrics and traces. Every method does nothing by default: a listener changes nothing, so
 * ignoring a call is safe. Calls come one after another, on the relay's own thread and without locks: the relay waits for each
 * of them. It keeps its lease meanwhile, and names a listener that blocks. What a listener throws is logged, at most once a minute,
 * and has no other effect.
 *
 * <p>Events are reported when the store has recorded their outcome. After a crash an event may be reported again.
 */
public interface RelayListener {
    /** The relay took a batch from the store, with at least one event. */
    default void claimed(RelayName relay, List<StoredEvent> events) {}

    /**
     * The relay is about to hand these events to the destination, in one call. An event that is sent again is reported again.
     *
     * @param messages one for each event, in the same order; kept only for this call, because they may be large
     * @param sinceClaim time since the first of them was claimed
     * @return is told how the call ends
     */
    default Sending sending(
            RelayName relay, List<StoredEvent> events, List<OutboundMessage> messages, Duration sinceClaim) {
        return Sending.IGNORED;
    }

    /** One call of the destination. */
    interface Sending {
        Sending IGNORED = deliveries -> {};

        /** The call has returned; its messages are in flight. On the thread of {@link RelayListener#sending}, right after it. */
        default void handedOver() {}

        /**
         * Every message is answered, or the session ended before that. Called exactly once.
         *
         * @param deliveries one for each event, in the same order; empty if the session ended first
         */
        void ended(List<Delivery> deliveries);
    }

    /** The destination has these events. */
    default void published(RelayName relay, List<StoredEvent> events) {}

    /**
     * The event could not be delivered and is sent again.
     *
     * @param at when
     * @param counted false when its part of the destination was unavailable: then the attempt does not count
     */
    default void retried(RelayName relay, StoredEvent event, String error, Instant at, boolean counted) {}

    /** The event was given up; it stays in the store until an operator requeues or discards it. */
    default void dead(RelayName relay, StoredEvent event, String error) {}

    /** The destination as a whole became unavailable. Not repeated until {@link #available}. */
    default void unavailable(RelayName relay, String error) {}

    /** The destination accepts or rejects events again. */
    default void available(RelayName relay) {}
}
