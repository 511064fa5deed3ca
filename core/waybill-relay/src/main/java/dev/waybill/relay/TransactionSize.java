package dev.waybill.relay;

import dev.waybill.spi.FiniteTime;
import java.time.Duration;

/**
 * When a transaction of a relay that delivers exactly once is committed: at once when the store has no more events, otherwise when
 * one of these is reached.
 *
 * @param maxEvents events in one transaction. Fewer are seen sooner by consumers, more cost less. The last page may exceed it by
 *     less than a batch
 * @param linger how long a transaction stays open while there are more events
 */
public record TransactionSize(int maxEvents, Duration linger) {
    public static final int MAX_EVENTS = 10_000;
    public static final Duration LINGER = Duration.ofMillis(100);
    /** Shorter than the time after which Kafka aborts an open transaction. */
    public static final Duration LONGEST_LINGER = Duration.ofSeconds(10);

    public TransactionSize {
        FiniteTime.require("The linger time of a transaction", linger);
        if (maxEvents < 1) {
            throw new IllegalArgumentException("A transaction of " + maxEvents + " events: use at least 1.");
        }
        if (linger.isNegative() || linger.compareTo(LONGEST_LINGER) > 0) {
            throw new IllegalArgumentException("The linger time of a transaction is " + linger.toMillis()
                    + " ms: use 0 to " + LONGEST_LINGER.toMillis() + " ms.");
        }
    }

    public static TransactionSize defaults() {
        return new TransactionSize(MAX_EVENTS, LINGER);
    }

    public TransactionSize maxEvents(int events) {
        return new TransactionSize(events, linger);
    }

    public TransactionSize linger(Duration time) {
        return new TransactionSize(maxEvents, time);
    }
}
