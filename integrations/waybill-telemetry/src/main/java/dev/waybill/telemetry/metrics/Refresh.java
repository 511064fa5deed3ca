package dev.waybill.telemetry.metrics;

import java.time.Duration;

/**
 * How often the meters of something outside this process are read, in the background.
 *
 * @param every time between two readings; more if a reading takes long, so that reading takes at most a twentieth of the time
 * @param timeout a reading that takes longer counts as failed: the gauges have no value until it ends
 */
public record Refresh(Duration every, Duration timeout) {
    /** Of a store: its status is cheap to read. */
    public static final Refresh STORE = new Refresh(Duration.ofSeconds(5), Duration.ofSeconds(10));

    /** Of dead letters: counting them reads up to 10,000 messages of each topic. */
    public static final Refresh DEAD_LETTERS = new Refresh(Duration.ofSeconds(60), Duration.ofSeconds(60));

    public Refresh {
        if (every.isNegative() || every.isZero() || timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("A refresh every " + every + " with a timeout of " + timeout
                    + " is impossible: both must be positive.");
        }
    }
}
