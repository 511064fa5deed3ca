package dev.waybill.relay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A monotonic clock that stands still until a test moves it. Safe for use by many threads. */
final class ManualNanos implements LongSupplier {
    private final AtomicLong now = new AtomicLong();

    @Override
    public long getAsLong() {
        return now.get();
    }

    void advance(Duration step) {
        now.addAndGet(step.toNanos());
    }
}
