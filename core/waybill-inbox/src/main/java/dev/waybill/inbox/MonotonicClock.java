package dev.waybill.inbox;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock for waits: it begins with the time of its making and then goes by the machine's monotonic clock. When somebody sets
 * the machine's time, no wait becomes longer or shorter.
 */
final class MonotonicClock implements InstantSource {
    private final LongSupplier nanoTime;
    private final Instant start;
    private final long startNanos;

    MonotonicClock() {
        this(InstantSource.system(), System::nanoTime);
    }

    MonotonicClock(InstantSource wall, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.start = wall.instant();
        this.startNanos = nanoTime.getAsLong();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime.getAsLong() - startNanos);
    }
}
