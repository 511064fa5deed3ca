package dev.waybill.relay;

import java.time.Duration;

/**
 * How long the loop waits before the next cycle. After work, not at all. When idle, a millisecond, then increasingly long up to
 * the poll interval. It stays there until a session that saves its position periodically has done so, then grows up to the
 * maximum. While the destination or the store is unavailable, a separate backoff applies. One thread.
 */
final class Pace {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    /** An append wakes the relay before its transaction commits, so the first poll comes a little later. */
    static final Duration FIRST_POLL_AFTER_WAKE = Duration.ofNanos(300_000);
    /**
     * Frequent polls after a wake-up, for about a tenth of a second, at increasing intervals that are never longer than without
     * a wake-up.
     */
    private static final int EAGER_POLLS = 58;

    private static final int AFTER_HALF_A_MILLISECOND = 4;
    private static final int AFTER_A_MILLISECOND = 12;
    /** After this time without work, a session that saves its position periodically has done so. */
    private static final Duration AT_INTERVAL = Duration.ofMillis(250);

    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    private final RelayOptions.Poll poll;
    private final FailureStreak failures;
    private Duration idle = Duration.ZERO;
    private Duration atInterval = Duration.ZERO;
    private int eager = EAGER_POLLS;
    private Duration backoff = Duration.ZERO;

    Pace(RelayOptions.Poll poll, FailureStreak failures) {
        this.poll = poll;
        this.failures = failures;
    }

    Duration after(CycleResult result) {
        if (result instanceof CycleResult.Unavailable) {
            return failed();
        }
        if (result instanceof CycleResult.Throttled throttled) {
            return throttled.until();
        }
        if (result instanceof CycleResult.Worked) {
            idle = Duration.ZERO;
            atInterval = Duration.ZERO;
            // The appended event was found, so the eager polls end.
            eager = EAGER_POLLS;
            return Duration.ZERO;
        }
        if (result instanceof CycleResult.Full) {
            return poll.interval();
        }
        Duration wait = idle();
        if (result instanceof CycleResult.Idle && idle.equals(poll.maxIdle())) {
            // Nothing has failed for a long time.
            backoff = Duration.ZERO;
            failures.idled();
        }
        return wait;
    }

    /** The store, the destination or the session failed. */
    Duration failed() {
        failures.failed();
        backoff = backoff.isZero() ? FIRST_BACKOFF : shorter(backoff.multipliedBy(2), LONGEST_BACKOFF);
        return backoff;
    }

    /** Events were settled, so the failure is over. A claim alone does not prove that. */
    void progressed() {
        backoff = Duration.ZERO;
        failures.succeeded();
    }

    /** A batch was settled that is entirely in doubt. {@link InDoubtKeys} schedules its retries. */
    void doubted() {
        failures.doubted();
    }

    void wakeUp() {
        eager = 0;
    }

    private Duration idle() {
        if (eager < EAGER_POLLS) {
            idle = Duration.ZERO;
            return shorter(eager(eager++), poll.interval());
        }
        boolean staysAtInterval = atInterval.compareTo(AT_INTERVAL) < 0;
        if (staysAtInterval && idle.equals(poll.interval())) {
            atInterval = atInterval.plus(idle);
            return idle;
        }
        Duration longer = idle.isZero() ? SHORTEST : idle.multipliedBy(2);
        idle = shorter(longer, staysAtInterval ? poll.interval() : poll.maxIdle());
        return idle;
    }

    private static Duration eager(int turn) {
        if (turn < AFTER_HALF_A_MILLISECOND) {
            return SHORTEST.dividedBy(2);
        }
        return turn < AFTER_A_MILLISECOND ? SHORTEST : SHORTEST.multipliedBy(2);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
