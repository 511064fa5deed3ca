package dev.waybill.testkit.random;

import java.time.Duration;

/**
 * Describes the work of the writers.
 *
 * @param duration how long they write
 * @param writers number of threads that run short transactions
 * @param longTransactions connections with transactions that stay open across many windows
 * @param keys aggregates that the writers contend for
 * @param target where they append
 * @param rollbackPercent how many of the short transactions end with a rollback
 */
public record Load(
        long seed, Duration duration, int writers, int longTransactions, int keys, int rollbackPercent, Target target) {
    public static Load heavy(long seed, Target target) {
        return new Load(seed, Duration.ofMillis(2500), 12, 68, 40, 15, target);
    }

    public Load lasting(Duration other) {
        return new Load(seed, other, writers, longTransactions, keys, rollbackPercent, target);
    }

    public String repeat() {
        return "seed " + seed;
    }
}
