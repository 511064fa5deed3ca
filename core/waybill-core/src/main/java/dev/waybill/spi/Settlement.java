package dev.waybill.spi;

import java.time.Instant;

/** The outcome of a claimed event. */
public sealed interface Settlement {
    Published PUBLISHED = new Published();
    Behind BEHIND = new Behind();
    Released RELEASED = new Released();

    /** Whether later events of its key wait behind an event with this outcome. */
    static boolean closesKey(Settlement settlement) {
        return settlement instanceof RetryAt
                || settlement instanceof Behind
                || (settlement instanceof Dead dead && dead.holdsKey);
    }

    /** The destination has acknowledged it. */
    record Published() implements Settlement {}

    /**
     * It failed and is sent again at the given time; until then its key is closed.
     *
     * @param counted whether it counts as an attempt; false if only its part of the destination was unavailable
     */
    record RetryAt(Instant at, String error, boolean counted) implements Settlement {
        /** An attempt that failed. */
        public RetryAt(Instant at, String error) {
            this(at, error, true);
        }
    }

    /** It was not sent because an earlier event of its key waits; it is sent after that one. */
    record Behind() implements Settlement {}

    /**
     * No more attempts; kept for an operator. Counts one attempt if it was sent.
     *
     * @param holdsKey whether later events of its key wait until an operator decides
     */
    record Dead(String error, boolean sent, boolean holdsKey) implements Settlement {}

    /** It was not published because of an outage: claim it again. No attempt is counted. */
    record Released() implements Settlement {}
}
