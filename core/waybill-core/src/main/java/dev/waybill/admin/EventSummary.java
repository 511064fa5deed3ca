package dev.waybill.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An event in a list; without payload, key, aggregate id and header values.
 *
 * @param relays where it stands with the relay that was asked for, or with each
 */
public record EventSummary(String id, String type, String aggregateType, Instant createdAt, List<Standing> relays) {

    /**
     * Where it stands with one relay.
     *
     * @param attempts how often it was sent, as far as it is parked or dead
     */
    public record Standing(String relay, EventStory.State state, int attempts, Optional<String> error) {}
}
