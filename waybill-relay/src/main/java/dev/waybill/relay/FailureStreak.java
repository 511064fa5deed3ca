package dev.waybill.relay;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a relay has been failing without getting anything done. Opening a session or reading is no success: a relay may do
 * both again and again and fail each time at what comes next. Safe for use by many threads.
 */
final class FailureStreak {
    /** Three times the longest wait between two tries: without a failure for so long, it does not fail in a loop. */
    private static final Duration CALM = Pace.LONGEST_BACKOFF.multipliedBy(3);

    private final LongSupplier nanoTime;
    private volatile @Nullable Streak streak;

    private record Streak(long first, long last) {}

    /** @param nanoTime the monotonic clock */
    FailureStreak(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void failed() {
        Streak before = streak;
        long now = nanoTime.getAsLong();
        streak = new Streak(before == null ? now : before.first(), now);
    }

    void succeeded() {
        streak = null;
    }

    /** Another process has the lease. It may soon be our turn to fail again, as it is with relays that fail by turns. */
    void stoodBy() {
        Streak before = streak;
        if (before != null && nanoTime.getAsLong() - before.last() > CALM.toNanos()) {
            streak = null;
        }
    }

    /** Since its first failure; nothing when it does not fail. */
    Optional<Duration> lasts() {
        return Optional.ofNullable(streak).map(one -> Duration.ofNanos(nanoTime.getAsLong() - one.first()));
    }
}
