package dev.waybill.spi;

import java.time.Instant;
import java.util.List;

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

    /**
     * Stores call this before they write anything.
     *
     * @throws IllegalArgumentException if a counted {@link RetryAt} is given for the last attempt of an event
     */
    static void requireAttemptsLeft(List<? extends StoredEvent> events, List<Settlement> settlements) {
        for (int i = 0; i < Math.min(events.size(), settlements.size()); i++) {
            StoredEvent event = events.get(i);
            int attempts = event.attempts() + 1;
            if (settlements.get(i) instanceof RetryAt retry && retry.counted() && attempts >= event.maxAttempts()) {
                throw new IllegalArgumentException(
                        "Event " + event.id() + " is to be sent again after attempt " + attempts + " of "
                                + event.maxAttempts() + ": settle it as dead, which says whether its key waits.");
            }
        }
    }

    /** The destination has acknowledged it. */
    record Published() implements Settlement {}

    /**
     * It failed and is sent again at the given time; until then its key is closed. Never given for the last of
     * {@link StoredEvent#maxAttempts}, if it is counted.
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
