package dev.waybill.spi;

import java.time.Instant;

/** What became of a claimed event. */
public sealed interface Settlement {
    Published PUBLISHED = new Published();
    Behind BEHIND = new Behind();
    Released RELEASED = new Released();

    /** The destination has it. */
    record Published() implements Settlement {}

    /**
     * It failed and is sent again at the given time; until then its key is closed.
     *
     * @param counted whether it counts as an attempt; not when only the place it goes to was away
     */
    record RetryAt(Instant at, String error, boolean counted) implements Settlement {
        /** An attempt that failed. */
        public RetryAt(Instant at, String error) {
            this(at, error, true);
        }
    }

    /** It was not sent because an earlier one of its key waits; it goes after that one. */
    record Behind() implements Settlement {}

    /**
     * Given up and kept for a person. Counts one attempt if it was sent.
     *
     * @param holdsKey whether later events of its key wait until a person decides
     */
    record Dead(String error, boolean sent, boolean holdsKey) implements Settlement {}

    /** It was not published, through no fault of its own: claim it again. Counts nothing. */
    record Released() implements Settlement {}
}
