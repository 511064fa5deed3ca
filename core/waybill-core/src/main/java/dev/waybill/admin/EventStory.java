package dev.waybill.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One event and what each relay did with it; without payload, key and header values.
 *
 * @param payloadBytes how long its payload is
 */
public record EventStory(
        String id, String type, String aggregateType, Instant createdAt, int payloadBytes, List<Chapter> relays) {

    /**
     * One relay's part.
     *
     * @param parked when and why it is sent again, or was given up
     * @param publishedBy when it was surely published, as far as the store still knows
     * @param discarded who gave it up, and why
     */
    public record Chapter(
            String relay,
            State state,
            Optional<ParkedEvent> parked,
            Optional<Instant> publishedBy,
            Optional<Discarded> discarded) {}

    /**
     * A person gave the event up for good.
     *
     * @param at when, where the store knows
     * @param note who, why, and the error before; empty where the store has no place for it: then the audit tells
     */
    public record Discarded(Optional<Instant> at, String note) {}

    /** Where an event stands with one relay. */
    public enum State {
        /** Not yet published. */
        PENDING,
        /** Published; {@link Chapter#publishedBy} says by when, as far as the log still tells. */
        PUBLISHED,
        /** Waiting for a retry, or behind an event that does. */
        PARKED,
        /** Given up; a person decides. */
        DEAD,
        /** Given up for good by a person. */
        DISCARDED
    }
}
