package dev.waybill.trials;

import java.util.List;

/**
 * Result of the checker.
 *
 * @param committed events in the database, or reported to the writer as committed
 * @param lost committed events that never arrived
 * @param ghosts events that arrived but were rolled back or never appended
 * @param inversions first deliveries of a key that went backwards, within a topic
 * @param duplicates deliveries beyond the first
 * @param recovered events that arrived although the writer did not learn the outcome of its commit
 */
record Verdict(
        int committed,
        List<String> lost,
        List<String> ghosts,
        List<String> inversions,
        long duplicates,
        long recovered) {
    private static final int EXAMPLES = 5;

    /** Asserts that nothing is lost or invented and everything is in order. A run without events proves nothing. */
    boolean isGood() {
        return committed > 0 && lost.isEmpty() && ghosts.isEmpty() && inversions.isEmpty();
    }

    String summary() {
        return "committed " + committed + ", lost " + lost.size() + ", ghosts " + ghosts.size() + ", inversions "
                + inversions.size() + ", duplicates " + duplicates + ", recovered " + recovered;
    }

    @Override
    public String toString() {
        return summary() + examples("lost", lost) + examples("ghosts", ghosts) + examples("inversions", inversions);
    }

    private static String examples(String what, List<String> all) {
        return all.isEmpty()
                ? ""
                : System.lineSeparator() + "  " + what + ", for example: "
                        + String.join("; ", all.subList(0, Math.min(EXAMPLES, all.size())));
    }
}
