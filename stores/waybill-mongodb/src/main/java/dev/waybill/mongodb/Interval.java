package dev.waybill.mongodb;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Limits how often something is done; the first time it is due at once. */
final class Interval {
    private final LongSupplier nanoTime;
    private final long nanos;
    private boolean begun;
    private long since;

    Interval(LongSupplier nanoTime, Duration length) {
        this.nanoTime = nanoTime;
        this.nanos = length.toNanos();
    }

    boolean isOver() {
        return !begun || nanoTime.getAsLong() - since >= nanos;
    }

    void begin() {
        begun = true;
        since = nanoTime.getAsLong();
    }
}
