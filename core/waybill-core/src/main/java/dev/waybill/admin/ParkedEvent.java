package dev.waybill.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A parked or dead event, without its payload and key.
 *
 * @param cursor its position in the list, for {@link ParkedQuery#after}
 * @param attempts number of attempts
 * @param failedAt when its last attempt failed, if the store knows
 * @param holdsKey whether it is dead and later events of its key wait for it
 */
public record ParkedEvent(
        String cursor,
        String eventId,
        String type,
        ParkedState state,
        int attempts,
        Optional<String> error,
        Optional<Instant> nextAttemptAt,
        Optional<Instant> failedAt,
        boolean holdsKey) {}
