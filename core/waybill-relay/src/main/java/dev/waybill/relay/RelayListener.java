package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.StoredEvent;
import java.time.Instant;
import java.util.List;

/**
 * Is told what a relay does, for metrics and traces. Every method does nothing by default: a listener changes nothing, so
 * ignoring a call is safe. Calls come one after another, on the relay's own thread and without locks: a slow listener slows
 * the relay down. What a listener throws is logged and has no other effect.
 *
 * <p>Events are reported when the store has recorded their outcome. After a crash an event may be reported again.
 */
public interface RelayListener {
    /** The relay took a batch from the store. */
    default void claimed(RelayName relay, List<StoredEvent> events) {}

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
