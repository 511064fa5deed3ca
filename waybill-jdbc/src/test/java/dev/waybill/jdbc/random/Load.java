package dev.waybill.jdbc.random;

import java.time.Duration;

/**
 * What the writers do.
 *
 * @param duration how long they write
 * @param writers threads with one short transaction after another
 * @param longTransactions connections with transactions that stay open across many windows
 * @param keys aggregates the writers fight for
 * @param target where they append
 * @param rollbackPercent how many of the short transactions end with a rollback
 */
record Load(
        long seed, Duration duration, int writers, int longTransactions, int keys, int rollbackPercent, Target target) {
    static Load heavy(long seed) {
        return new Load(seed, Duration.ofMillis(2500), 12, 60, 40, 15, Target.JOURNAL);
    }

    Load lasting(Duration other) {
        return new Load(seed, other, writers, longTransactions, keys, rollbackPercent, target);
    }

    Load on(Target other) {
        return new Load(seed, duration, writers, longTransactions, keys, rollbackPercent, other);
    }

    /** What to say so that a failure can be repeated. */
    String repeat() {
        return "seed " + seed + " (repeat with -D" + Seeds.ONE + "=" + seed + ")";
    }
}
