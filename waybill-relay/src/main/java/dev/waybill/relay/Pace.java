package dev.waybill.relay;

import java.time.Duration;

/**
 * How long the loop waits before its next turn. After work: not at all. Without: a millisecond, then ever longer, up to the
 * poll interval; there it stays until a session that saves its position by time has done so; then up to the longest. While the
 * destination or the store is away: ever longer, counted apart. One thread.
 */
final class Pace {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    /** An append wakes the relay before its transaction commits: so many quick looks follow. */
    private static final int EAGER_TURNS = 50;

    private static final Duration EAGER = Duration.ofMillis(2);
    /** After so long without work a session that saves its position by time has done so. */
    private static final Duration AT_INTERVAL = Duration.ofMillis(250);

    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    private final RelayOptions.Poll poll;
    private Duration idle = Duration.ZERO;
    private Duration atInterval = Duration.ZERO;
    private int eager;
    private Duration backoff = Duration.ZERO;

    Pace(RelayOptions.Poll poll) {
        this.poll = poll;
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
            return Duration.ZERO;
        }
        return turn instanceof Turn.Full ? poll.interval() : idle();
    }

    /** Something failed as a whole. */
    Duration failed() {
        backoff = backoff.isZero() ? FIRST_BACKOFF : shorter(backoff.multipliedBy(2), LONGEST_BACKOFF);
        return backoff;
    }

    /** Events were settled, so what failed before works again. A claim alone does not show it. */
    void progressed() {
        backoff = Duration.ZERO;
    }

    void wakeUp() {
        eager = EAGER_TURNS;
    }

    private Duration idle() {
        if (eager > 0) {
            eager--;
            idle = Duration.ZERO;
            return shorter(EAGER, poll.interval());
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
        }
        return idle;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
