package dev.waybill.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A parked or dead event, without its payload and key.
 *
 * @param cursor its place in the list, for {@link ParkedQuery#after}
 * @param attempts how often it was sent
 * @param holdsKey whether, being dead, it holds later events of its key back
 */
public record ParkedEvent(
        String cursor,
        String eventId,
        String type,
        ParkedState state,
        int attempts,
        Optional<String> error,
        Optional<Instant> nextAttemptAt,
        boolean holdsKey) {}
