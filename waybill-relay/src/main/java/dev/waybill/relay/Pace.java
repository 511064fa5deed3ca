package dev.waybill.relay;

import java.time.Duration;

/**
 * How long the loop waits before its next turn. After work: not at all. Without: a millisecond, then ever longer, up to the
 * poll interval; there it stays until a session that saves its position by time has done so; then up to the longest. While the
 * destination is away: ever longer, counted apart. One thread.
 */
final class Pace {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    /** An append wakes the relay before its transaction commits: so many quick looks follow. */
    private static final int EAGER_TURNS = 50;

    private static final Duration EAGER = Duration.ofMillis(2);
    private static final int TURNS_AT_INTERVAL = 6;
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    private final RelayOptions.Poll poll;
    private Duration idle = Duration.ZERO;
    private int atInterval;
    private int eager;
    private Duration backoff = Duration.ZERO;

    Pace(RelayOptions.Poll poll) {
        this.poll = poll;
    }

    Duration after(Turn turn) {
        if (turn instanceof Turn.Unavailable) {
            return failed();
        }
        if (turn instanceof Turn.Worked) {
            idle = Duration.ZERO;
            atInterval = 0;
            backoff = Duration.ZERO;
            return Duration.ZERO;
        }
        return turn instanceof Turn.Full ? poll.interval() : idle();
    }

    /** Something failed as a whole. */
    Duration failed() {
        backoff = backoff.isZero() ? FIRST_BACKOFF : shorter(backoff.multipliedBy(2), LONGEST_BACKOFF);
        return backoff;
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
        if (idle.compareTo(poll.interval()) == 0 && atInterval < TURNS_AT_INTERVAL) {
            atInterval++;
            return idle;
        }
        Duration longer = idle.isZero() ? SHORTEST : idle.multipliedBy(2);
        Duration limit = atInterval < TURNS_AT_INTERVAL ? poll.interval() : poll.maxIdle();
        idle = shorter(longer, limit);
        return idle;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
