package dev.waybill.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One event and its state for each relay, without payload, key and header values.
 *
 * @param aggregateId empty if this role may not read it
 * @param payloadBytes size of the payload
 */
public record EventHistory(
        String id,
        String type,
        String aggregateType,
        Optional<String> aggregateId,
        Instant createdAt,
        int payloadBytes,
        List<Entry> relays) {

    /**
     * The event's state for one relay.
     *
     * @param parked the retry, or why the event is dead
     * @param publishedBy a time by which it was certainly published, if the store still knows
     * @param discarded who discarded it, and why
     */
    public record Entry(
            String relay,
            State state,
            Optional<ParkedEvent> parked,
            Optional<Instant> publishedBy,
            Optional<Discarded> discarded) {}

    /**
     * An operator discarded the event.
     *
     * @param at when, if the store knows
     * @param note who, why, and the last error; empty if only the audit records it
     */
    public record Discarded(Optional<Instant> at, String note) {}

    /** State of an event for one relay. */
    public enum State {
        /** Not yet published. */
        PENDING,
        /** Published; see {@link Entry#publishedBy}. */
        PUBLISHED,
        /** Waiting for a retry, or behind such an event. */
        PARKED,
        /** No more attempts; an operator decides. */
        DEAD,
        /** Discarded by an operator. */
        DISCARDED
    }
}
