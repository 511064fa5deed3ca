package dev.waybill.testkit.random;

import java.util.List;

/**
 * Result of the check.
 *
 * @param lost committed, never read
 * @param repeated read again
 * @param ghosts read, but not committed
 * @param inversions first reads of a key that go backwards
 * @param broken contradictions between what the server told the writers and what it stored; the run then proves nothing
 * about the reader
 */
public record Verdict(
        int committed,
        List<String> lost,
        List<String> repeated,
        List<String> ghosts,
        List<String> inversions,
        List<String> broken) {
    private static final int EXAMPLES = 5;

    /** Every committed event was read at least once, first reads in order, and nothing else was read. */
    public boolean nothingSkipped() {
        return committed > 0 && lost.isEmpty() && ghosts.isEmpty() && inversions.isEmpty() && broken.isEmpty();
    }

    public boolean exactlyOnceInOrder() {
        return nothingSkipped() && repeated.isEmpty();
    }

    public String summary() {
        return committed + " committed, lost " + lost.size() + ", read more than once " + repeated.size() + ", ghosts "
                + ghosts.size() + ", inversions " + inversions.size()
                + (broken.isEmpty() ? "" : ", words broken by the server " + broken.size());
    }

    @Override
    public String toString() {
        return summary()
                + examples("lost", lost)
                + examples("read more than once", repeated)
                + examples("ghosts", ghosts)
                + examples("inversions", inversions)
                + examples("broken", broken);
    }

    private static String examples(String what, List<String> all) {
        return all.isEmpty()
                ? ""
                : System.lineSeparator() + "  " + what + ", for example: "
                        + String.join("; ", all.subList(0, Math.min(EXAMPLES, all.size())));
    }
}
