package dev.waybill.inbox;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock for waits: it starts at the wall clock's time and then follows the monotonic clock, so that changes of the machine's
 * time do not change any wait.
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
