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

    /** One relay's part. */
    public record Chapter(String relay, State state, Optional<ParkedEvent> parked, Optional<Instant> publishedBy) {}

    /** Where an event stands with one relay. */
    public enum State {
        /** Not yet published. */
        PENDING,
        /** Published; {@link Chapter#publishedBy} says by when, as far as the log still tells. */
        PUBLISHED,
        /** Waiting for a retry, or behind an event that does. */
        PARKED,
        /** Given up. */
        DEAD
    }
}
