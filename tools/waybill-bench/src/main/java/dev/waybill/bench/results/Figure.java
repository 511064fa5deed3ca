package dev.waybill.bench.results;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A measured figure.
 *
 * @param digits after the point, unless more are needed to see whether the goal is reached
 * @param goal null if there is none
 */
record Figure(double value, int digits, @Nullable Goal goal) {
    private static final int MOST_DIGITS = 9;

    /** What this project wants to reach. */
    record Goal(Bound bound, String limit) {
        static Goal atLeast(String limit) {
            return new Goal(Bound.AT_LEAST, limit);
        }

        static Goal atMost(String limit) {
            return new Goal(Bound.AT_MOST, limit);
        }

        boolean isReachedBy(double value) {
            double wanted = Double.parseDouble(limit);
            return bound == Bound.AT_LEAST ? value >= wanted : value <= wanted;
        }

        String words() {
            return (bound == Bound.AT_LEAST ? "at least " : "at most ") + limit;
        }
    }

    enum Bound {
        AT_LEAST,
        AT_MOST
    }

    /** Rounded, but never across the goal: a figure that misses it does not look as if it reached it. */
    String text() {
        int shown = digits;
        while (goal != null
                && shown < MOST_DIGITS
                && goal.isReachedBy(Double.parseDouble(rounded(shown))) != goal.isReachedBy(value)) {
            shown++;
        }
        return rounded(shown);
    }

    private String rounded(int places) {
        return String.format(Locale.ROOT, "%." + places + "f", value);
    }

    boolean misses() {
        return goal != null && !goal.isReachedBy(value);
    }

    /** Empty without a goal. */
    String reached() {
        if (goal == null) {
            return "";
        }
        return misses() ? "no" : "yes";
    }
}
