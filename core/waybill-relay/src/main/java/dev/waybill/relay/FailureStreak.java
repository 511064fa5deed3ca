package dev.waybill.relay;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a relay has been failing without progress. Opening a session or reading is not progress: a relay may repeat both and
 * fail each time at the next step. Neither is a batch that is entirely in doubt. Safe for use by many threads.
 */
final class FailureStreak {
    /** Three times the longest backoff: without a failure for this long, the relay is not failing repeatedly. */
    private static final Duration CALM = Pace.LONGEST_BACKOFF.multipliedBy(3);

    /** Longer than the longest wait of an event in doubt: after this time, none is waiting. */
    private static final Duration CALM_AFTER_DOUBT = InDoubtKeys.LONGEST_OF_MANY.multipliedBy(2);

    private final LongSupplier nanoTime;
    private volatile @Nullable Streak streak;
    private volatile boolean everSucceeded;
    private volatile long succeededAt;

    private record Streak(long first, long last, boolean doubt) {}

    /** @param nanoTime the monotonic clock */
    FailureStreak(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void failed() {
        goesOn(false);
    }

    /** All events of a batch are in doubt and are sent again. */
    void doubted() {
        goesOn(true);
    }

    /** Events in doubt stay in doubt, whatever failed since. */
    private void goesOn(boolean doubt) {
        Streak before = streak;
        long now = nanoTime.getAsLong();
        streak =
                before == null ? new Streak(now, now, doubt) : new Streak(before.first(), now, doubt || before.doubt());
    }

    void succeeded() {
        streak = null;
        succeededAt = nanoTime.getAsLong();
        everSucceeded = true;
    }

    /** Time since the last progress; empty if there was none. */
    Optional<Duration> lastSuccess() {
        return everSucceeded ? Optional.of(Duration.ofNanos(nanoTime.getAsLong() - succeededAt)) : Optional.empty();
    }

    /** Nothing has failed for a long time, but events in doubt may still wait for a retry. */
    void idled() {
        Streak before = streak;
        if (before == null || !before.doubt() || sinceLast(before) > CALM_AFTER_DOUBT.toNanos()) {
            streak = null;
        }
    }

    /** Another process has the lease. It may fail as well, so that the lease alternates between failing relays. */
    void stoodBy() {
        Streak before = streak;
        if (before != null && sinceLast(before) > CALM.toNanos()) {
            streak = null;
        }
    }

    private long sinceLast(Streak one) {
        return nanoTime.getAsLong() - one.last();
    }

    /** Time since the first failure; empty if the relay is not failing. */
    Optional<Duration> lasts() {
        return Optional.ofNullable(streak).map(one -> Duration.ofNanos(nanoTime.getAsLong() - one.first()));
    }
}
