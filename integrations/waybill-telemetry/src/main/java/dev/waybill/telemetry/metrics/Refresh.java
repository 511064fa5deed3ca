package dev.waybill.telemetry.metrics;

import java.time.Duration;

/**
 * How often the meters of something outside this process are read, in the background.
 *
 * @param every time between two readings. After a reading that took long the time is longer, at most ten times, so that reading
 *     takes a twentieth of the time where that is possible.
 * @param timeout a reading that takes longer counts as failed: the gauges have no value until it ends
 */
public record Refresh(Duration every, Duration timeout) {
    /** Of a store: its status is cheap to read. No value is shown for longer than a minute. */
    public static final Refresh STORE = new Refresh(Duration.ofSeconds(5), Duration.ofSeconds(10));

    /** Of dead letters: counting them reads up to 10,000 messages of each topic. No value is shown for longer than 11 minutes. */
    public static final Refresh DEAD_LETTERS = new Refresh(Duration.ofSeconds(60), Duration.ofSeconds(60));

    private static final int PAUSE_FACTOR = 20;
    private static final int MOST_PAUSES = 10;

    public Refresh {
        if (every.isNegative() || every.isZero() || timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("A refresh every " + every + " with a timeout of " + timeout
                    + " is impossible: both must be positive.");
        }
    }

    /** Time until the next reading, in nanoseconds. It is bounded, because meanwhile nobody notices that what is read went down. */
    long pauseAfter(long readingNanos) {
        long shortest = every.toNanos();
        return Math.min(shortest * MOST_PAUSES, Math.max(shortest, readingNanos * PAUSE_FACTOR));
    }
}
