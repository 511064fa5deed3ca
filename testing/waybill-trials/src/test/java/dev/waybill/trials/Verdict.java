package dev.waybill.trials;

import java.util.List;

/**
 * What the checker found.
 *
 * @param committed in the database, or told to the writer as committed
 * @param lost of those, never seen
 * @param ghosts seen, but rolled back or unheard of
 * @param inversions first deliveries of a key that went backwards, within a topic
 * @param duplicates deliveries beyond the first
 * @param recovered seen, and the writer did not know whether its commit went through
 */
record Verdict(
        int committed,
        List<String> lost,
        List<String> ghosts,
        List<String> inversions,
        long duplicates,
        long recovered) {
    private static final int EXAMPLES = 5;

    /** Nothing lost, nothing made up, everything in order. A run without events proves nothing. */
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
