package dev.waybill.relay;

import java.time.Duration;

/**
 * How long the loop waits before its next turn. After work: not at all. Without: a millisecond, then ever longer, up to the
 * poll interval; there it stays until a session that saves its position by time has done so; then up to the longest. While the
 * destination or the store is away: ever longer, counted apart. One thread.
 */
final class Pace {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    /** An append wakes the relay before its transaction commits: the first look comes a little later than the wake-up. */
    static final Duration FIRST_LOOK = Duration.ofNanos(300_000);
    /**
     * Quick looks follow, for about a tenth of a second: ever rarer, but at no time rarer than those of a relay that has just
     * worked and was not woken up.
     */
    private static final int EAGER_TURNS = 58;

    private static final int AFTER_HALF_A_MILLISECOND = 4;
    private static final int AFTER_A_MILLISECOND = 12;
    /** After so long without work a session that saves its position by time has done so. */
    private static final Duration AT_INTERVAL = Duration.ofMillis(250);

    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    private final RelayOptions.Poll poll;
    private final FailureStreak failures;
    private Duration idle = Duration.ZERO;
    private Duration atInterval = Duration.ZERO;
    private int eager = EAGER_TURNS;
    private Duration backoff = Duration.ZERO;

    Pace(RelayOptions.Poll poll, FailureStreak failures) {
        this.poll = poll;
        this.failures = failures;
    }

    Duration after(Turn turn) {
        if (turn instanceof Turn.Unavailable) {
            return failed();
        }
        if (turn instanceof Turn.Throttled throttled) {
            return throttled.until();
        }
        if (turn instanceof Turn.Worked) {
            idle = Duration.ZERO;
            atInterval = Duration.ZERO;
            // What was appended has been found; from here on the relay looks as one that has just worked.
            eager = EAGER_TURNS;
            return Duration.ZERO;
        }
        return turn instanceof Turn.Full ? poll.interval() : idle();
    }

    /** Something failed as a whole. */
    Duration failed() {
        failures.failed();
        backoff = backoff.isZero() ? FIRST_BACKOFF : shorter(backoff.multipliedBy(2), LONGEST_BACKOFF);
        return backoff;
    }

    /** Events were settled, so what failed before works again. A claim alone does not show it. */
    void progressed() {
        backoff = Duration.ZERO;
        failures.succeeded();
    }

    /** A batch was settled of which nobody knows whether anything has arrived. It is tried again in its own time. */
    void doubted() {
        failures.doubted();
    }

    void wakeUp() {
        eager = 0;
    }

    private Duration idle() {
        if (eager < EAGER_TURNS) {
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
        if (idle.equals(poll.maxIdle())) {
            // Nothing has failed for long.
            backoff = Duration.ZERO;
            failures.idled();
        }
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
