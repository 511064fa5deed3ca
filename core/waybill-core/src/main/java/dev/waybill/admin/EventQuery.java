package dev.waybill.admin;

import dev.waybill.RelayName;
import java.util.Optional;

/**
 * Which events to list.
 *
 * @param relay reports the state for this relay; for all relays if empty
 * @param state only events in this state; requires a relay
 * @param after {@link EventListing#next} of the previous page; empty for the first page
 * @param atMost page size, 1 to {@value #LARGEST_PAGE}
 */
public record EventQuery(
        EventFilter filter,
        Optional<RelayName> relay,
        Optional<EventHistory.State> state,
        Optional<String> after,
        int atMost) {
    public static final int LARGEST_PAGE = 1_000;
    public static final int DEFAULT_PAGE = 100;

    public EventQuery {
        if (state.isPresent() && relay.isEmpty()) {
            throw new IllegalArgumentException("The query has no relay: an event that is "
                    + state.get().name().toLowerCase(java.util.Locale.ROOT)
                    + " for one relay can have another state for another relay. Name the relay.");
        }
        if (atMost < 1 || atMost > LARGEST_PAGE) {
            throw new IllegalArgumentException("The page size is " + atMost + ": use 1 to " + LARGEST_PAGE + ".");
        }
    }

    public static EventQuery of(EventFilter filter) {
        return new EventQuery(filter, Optional.empty(), Optional.empty(), Optional.empty(), DEFAULT_PAGE);
    }

    /** For a cursor that the store did not create. */
    /** The cursor of a list that goes down by numbers; the first page begins at the largest number. */
    public static long number(Optional<String> cursor) {
        try {
            return cursor.map(Long::parseLong).orElse(Long.MAX_VALUE);
        } catch (NumberFormatException e) {
            throw notACursor(cursor.orElse(""));
        }
    }

    public static IllegalArgumentException notACursor(String cursor) {
        return new IllegalArgumentException(
                "\"" + cursor
                        + "\" is not a cursor of this list: use the next cursor of the previous page, or none for the first page.");
    }

    public EventQuery with(RelayName relay) {
        return new EventQuery(filter, Optional.of(relay), state, after, atMost);
    }

    public EventQuery in(RelayName relay, EventHistory.State state) {
        return new EventQuery(filter, Optional.of(relay), Optional.of(state), after, atMost);
    }

    public EventQuery after(String cursor) {
        return new EventQuery(filter, relay, state, Optional.of(cursor), atMost);
    }

    public EventQuery atMost(int atMost) {
        return new EventQuery(filter, relay, state, after, atMost);
    }
}
