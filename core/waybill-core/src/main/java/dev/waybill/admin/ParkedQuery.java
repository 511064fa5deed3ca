package dev.waybill.admin;

import dev.waybill.RelayName;
import java.util.Optional;

/**
 * Which parked events to list.
 *
 * @param state only events in this state; all if empty
 * @param after cursor of the last event of the previous page; empty for the first page
 * @param atMost page size
 */
public record ParkedQuery(RelayName relay, Optional<ParkedState> state, Optional<String> after, int atMost) {
    public static ParkedQuery of(RelayName relay) {
        return new ParkedQuery(relay, Optional.empty(), Optional.empty(), 100);
    }

    public ParkedQuery in(ParkedState state) {
        return new ParkedQuery(relay, Optional.of(state), after, atMost);
    }

    public ParkedQuery after(String cursor) {
        return new ParkedQuery(relay, state, Optional.of(cursor), atMost);
    }

    public ParkedQuery atMost(int atMost) {
        return new ParkedQuery(relay, state, after, atMost);
    }

    /** The cursor as a number, for stores with numeric cursors; 0 for the first page. */
    public long afterNumber() {
        try {
            return after.map(Long::parseLong).orElse(0L);
        } catch (NumberFormatException e) {
            throw EventQuery.notACursor(after.orElse(""));
        }
    }
}
