package dev.waybill.jdbc.random;

import java.time.Duration;

/**
 * What the writers do.
 *
 * @param duration how long they write
 * @param writers threads with one short transaction after another
 * @param longTransactions connections with transactions that stay open across many windows
 * @param keys aggregates the writers fight for
 * @param rollbackPercent how many of the short transactions end with a rollback
 */
record Load(long seed, Duration duration, int writers, int longTransactions, int keys, int rollbackPercent) {
    static Load heavy(long seed) {
        return new Load(seed, Duration.ofMillis(2500), 12, 60, 40, 15);
    }

    Load lasting(Duration other) {
        return new Load(seed, other, writers, longTransactions, keys, rollbackPercent);
    }

    /** What to say so that a failure can be repeated. */
    String repeat() {
        return "seed " + seed + " (repeat with -D" + Seeds.ONE + "=" + seed + ")";
    }
}
