package dev.waybill.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An event in a list, without payload, key and header values.
 *
 * @param aggregateId empty if this role may not read it
 * @param relays its state for the requested relay, or for each relay
 */
public record EventSummary(
        String id,
        String type,
        String aggregateType,
        Optional<String> aggregateId,
        Instant createdAt,
        List<Standing> relays) {

    /**
     * The event's state for one relay.
     *
     * @param attempts number of attempts, if it is parked or dead
     */
    public record Standing(String relay, EventHistory.State state, int attempts, Optional<String> error) {}
}
