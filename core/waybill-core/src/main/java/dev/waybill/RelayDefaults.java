package dev.waybill;

import java.time.Duration;

/**
 * Defaults of a relay that come with an outbox. A preset layout has those of the system it comes from, so that a relay of its
 * table polls and retries as that system does. What the relay is told otherwise wins.
 *
 * @param batch events per claim at most
 * @param pollInterval time between polls soon after an event
 * @param maxIdle time between polls after a while without events
 * @param initialDelay how long a new relay waits before its first poll
 * @param retry when a failed event is sent again
 */
public record RelayDefaults(
        int batch, Duration pollInterval, Duration maxIdle, Duration initialDelay, RetryPolicy retry) {
    private static final RelayDefaults STANDARD = new RelayDefaults(
            2_000, Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ZERO, RetryPolicy.defaults());

    /** The defaults of an outbox that has none of its own. */
    public static RelayDefaults standard() {
        return STANDARD;
    }

    public RelayDefaults batch(int events) {
        return new RelayDefaults(events, pollInterval, maxIdle, initialDelay, retry);
    }

    /** The same time between all polls of an idle relay. */
    public RelayDefaults pollEvery(Duration time) {
        return new RelayDefaults(batch, time, time, initialDelay, retry);
    }

    public RelayDefaults maxIdle(Duration time) {
        return new RelayDefaults(batch, pollInterval, time, initialDelay, retry);
    }

    public RelayDefaults initialDelay(Duration time) {
        return new RelayDefaults(batch, pollInterval, maxIdle, time, retry);
    }

    public RelayDefaults retry(RetryPolicy policy) {
        return new RelayDefaults(batch, pollInterval, maxIdle, initialDelay, policy);
    }
}
