package dev.waybill.inbox;

import java.time.Duration;

/**
 * How long a consumer waits, and for what.
 *
 * @param poll for a message
 * @param broker after the broker failed, or a defect of our own
 * @param conflict after a transaction lost against another one; each further wait of the same event is twice as long
 * @param busy while another consumer is at work on the same event
 * @param firstAway after something was found to be away; each further wait is twice as long
 * @param longest at most, for what is away, after a conflict, and for dead letters that are not taken
 * @param answer for the destination to say what became of a dead letter
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

    /** A trouble that stands is met again after each wait; so long it counts. */
    Duration remembered() {
        return longest.multipliedBy(3);
    }

    /** An event that waits for something that is away is tried so often at least, whoever waits before it. */
    Duration turn() {
        return longest.multipliedBy(6);
    }

    /** The wait after something was found away so many times in a row, 1 for the first. */
    Duration away(int times) {
        return doubled(firstAway, times);
    }

    /** The wait after a transaction lost so many times, 1 for the first. */
    Duration conflict(int times) {
        return doubled(conflict, times);
    }

    private Duration doubled(Duration first, int times) {
        Duration wait = first.multipliedBy(1L << Math.max(0, Math.min(times - 1, 10)));
        return wait.compareTo(longest) > 0 ? longest : wait;
    }
}
