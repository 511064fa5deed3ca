package dev.waybill.admin;

import dev.waybill.RelayName;
import java.util.Optional;

/** A store with relays that deliver exactly once: their destination commits the position together with the messages. */
public interface PositionAdmin {
    /** The id under which the destination keeps the relay's position. */
    String writerId(RelayName relay);

    /**
     * Compares what the destination has with what the store knows. Changes nothing.
     *
     * @param atDestination the position that the destination has committed last; empty if it has none
     */
    Standing compare(RelayName relay, Optional<String> atDestination);

    /** How the committed position fits the store. */
    enum Standing {
        /** Neither has one, or the one at the destination is from before the relay saved its position itself. */
        NONE,
        /** The store has recorded this one. */
        SAME,
        /** The store knows its window, and records it soon, or when the relay continues. */
        AHEAD,
        /** The store has recorded a later one of the same window: the destination has lost commits. */
        BEHIND,
        /** The store has recorded one, and the destination has none. */
        LOST,
        /** The store does not know its window, as after a failover that lost it or in a restored database. */
        UNKNOWN
    }
}
