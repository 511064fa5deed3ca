package dev.waybill.mongodb;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Tells when something is to be done again; the first time at once. */
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
