package dev.waybill.relay;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a relay has been failing without getting anything done. Opening a session or reading is no success: a relay may do
 * both again and again and fail each time at what comes next. Neither is a batch of which nobody knows whether anything has
 * arrived. Safe for use by many threads.
 */
final class FailureStreak {
    /** Three times the longest wait between two tries: without a failure for so long, it does not fail in a loop. */
    private static final Duration CALM = Pace.LONGEST_BACKOFF.multipliedBy(3);

    /** Longer than what is in doubt waits for its next try: without doubt for so long, none waits any more. */
    private static final Duration CALM_AFTER_DOUBT = InDoubtKeys.LONGEST_OF_MANY.multipliedBy(2);

    private final LongSupplier nanoTime;
    private volatile @Nullable Streak streak;

    private record Streak(long first, long last, boolean doubt) {}

    /** @param nanoTime the monotonic clock */
    FailureStreak(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void failed() {
        goesOn(false);
    }

    /** All that was sent is in doubt, and comes again. */
    void doubted() {
        goesOn(true);
    }

    /** What was in doubt before still is, whatever has failed since. */
    private void goesOn(boolean doubt) {
        Streak before = streak;
        long now = nanoTime.getAsLong();
        streak =
                before == null ? new Streak(now, now, doubt) : new Streak(before.first(), now, doubt || before.doubt());
    }

    void succeeded() {
        streak = null;
    }

    /** Nothing has failed for long; but what is in doubt may still wait for its next try. */
    void idled() {
        Streak before = streak;
        if (before == null || !before.doubt() || sinceLast(before) > CALM_AFTER_DOUBT.toNanos()) {
            streak = null;
        }
    }

    /** Another process has the lease. It may soon be our turn to fail again, as it is with relays that fail by turns. */
    void stoodBy() {
        Streak before = streak;
        if (before != null && sinceLast(before) > CALM.toNanos()) {
            streak = null;
        }
    }

    private long sinceLast(Streak one) {
        return nanoTime.getAsLong() - one.last();
    }

    /** Since its first failure; nothing when it does not fail. */
    Optional<Duration> lasts() {
        return Optional.ofNullable(streak).map(one -> Duration.ofNanos(nanoTime.getAsLong() - one.first()));
    }
}
