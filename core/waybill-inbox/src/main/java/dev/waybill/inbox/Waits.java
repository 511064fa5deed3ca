package dev.waybill.inbox;

import java.time.Duration;

/**
 * Waiting times of a consumer.
 *
 * @param poll for a message
 * @param broker after a failure of the broker or a defect
 * @param conflict after a transaction conflict; doubled for each further conflict of the same event
 * @param busy while another consumer handles the same event
 * @param firstAway after a dependency was found unavailable; doubled each further time
 * @param longest upper bound of the waits for a dependency, after a conflict, and for dead letters that are not accepted
 * @param answer for the destination to answer for a dead letter
 */
record Waits(
        Duration poll,
        Duration broker,
        Duration conflict,
        Duration busy,
        Duration firstAway,
        Duration longest,
        Duration answer) {
    static final Waits DEFAULT = new Waits(
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofMillis(20),
            Duration.ofMillis(500),
            Duration.ofMillis(200),
            Duration.ofSeconds(5),
            Duration.ofMinutes(3));

    /** How long a problem counts as current; a persistent one recurs after each wait. */
    Duration remembered() {
        return longest.multipliedBy(3);
    }

    /** Maximum time between two tries of an event that waits for a dependency. */
    Duration turn() {
        return longest.multipliedBy(6);
    }

    /** The wait after a dependency was found unavailable for the n-th time in a row, from 1. */
    Duration away(int times) {
        return doubled(firstAway, times);
    }

    /** The wait after the n-th conflict, from 1. */
    Duration conflict(int times) {
        return doubled(conflict, times);
    }

    private Duration doubled(Duration first, int times) {
        Duration wait = first.multipliedBy(1L << Math.max(0, Math.min(times - 1, 10)));
        return wait.compareTo(longest) > 0 ? longest : wait;
    }
}
