package dev.waybill.admin;

import dev.waybill.RelayName;
import java.util.Optional;

/**
 * Which events to list.
 *
 * @param relay whose view of the events is told; without one, every relay's
 * @param state only events that stand so with the relay, which must be named then
 * @param after {@link EventListing#next} of the page before; nothing to begin
 * @param atMost how many, 1 to {@value #LARGEST_PAGE}
 */
public record EventQuery(
        EventFilter filter,
        Optional<RelayName> relay,
        Optional<EventStory.State> state,
        Optional<String> after,
        int atMost) {
    public static final int LARGEST_PAGE = 1_000;
    public static final int DEFAULT_PAGE = 100;

    public EventQuery {
        if (state.isPresent() && relay.isEmpty()) {
            throw new IllegalArgumentException("Which relay? An event is "
                    + state.get().name().toLowerCase(java.util.Locale.ROOT)
                    + " with one relay and may stand otherwise with another: name the relay.");
        }
        if (atMost < 1 || atMost > LARGEST_PAGE) {
            throw new IllegalArgumentException(
                    "A page of " + atMost + " events cannot be: ask for 1 to " + LARGEST_PAGE + ".");
        }
    }

    public static EventQuery of(EventFilter filter) {
        return new EventQuery(filter, Optional.empty(), Optional.empty(), Optional.empty(), DEFAULT_PAGE);
    }

    /** For a store that is given a cursor which is none of its own. */
    public static IllegalArgumentException notACursor(String cursor) {
        return new IllegalArgumentException("\"" + cursor
                + "\" is no place in this list: go on with what the page before gave as next, or begin without.");
    }

    public EventQuery with(RelayName relay) {
        return new EventQuery(filter, Optional.of(relay), state, after, atMost);
    }

    public EventQuery in(RelayName relay, EventStory.State state) {
        return new EventQuery(filter, Optional.of(relay), Optional.of(state), after, atMost);
    }

    public EventQuery after(String cursor) {
        return new EventQuery(filter, relay, state, Optional.of(cursor), atMost);
    }

    public EventQuery atMost(int atMost) {
        return new EventQuery(filter, relay, state, after, atMost);
    }
}
