package dev.waybill.server.cli;

import dev.waybill.inbox.LetterCounts;
import dev.waybill.server.terminal.Cell;
import dev.waybill.spi.Counted;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The answer of a command that changed dead letters. It accounts for every selected letter. */
final class LetterAnswer {
    /** A bound, because letters come from others and may fail for any number of different reasons. */
    private static final int MOST_REASONS = 20;

    private final Set<String> reasons = new LinkedHashSet<>();
    private int failures;

    /** Records why a letter could not be changed. */
    void failed(RuntimeException why) {
        failures++;
        if (reasons.size() < MOST_REASONS) {
            reasons.add(String.valueOf(why.getMessage()));
        }
    }

    /**
     * @param done what happened to the letters that were changed
     * @param json the JSON name of their number
     * @param missing how many of the given places have no letter
     * @param more a remark for letters that were left out
     * @return the exit code
     */
    int print(Output output, String done, String json, LetterCounts counts, int missing, String more) {
        int notThere = counts.notThere() + missing;
        if (!output.isJson()) {
            reasons.forEach(why -> output.line(Cell.harmless(why)));
            if (failures > reasons.size()) {
                output.line("… and " + Cell.grouped(failures - reasons.size()) + " more of this kind.");
            }
        }
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put(json, counts.done());
        numbers.put("failed", counts.failed());
        numbers.put("notThere", notThere);
        numbers.put("notTried", counts.notTried());
        output.done(
                done + " " + Cell.grouped(counts.done())
                        + behind(counts.failed(), "failed and is kept", "failed and are kept")
                        + behind(
                                notThere,
                                "does not exist, or is held by another reader",
                                "do not exist, or are held by another reader")
                        + behind(
                                counts.notTried(),
                                "was not tried, because the broker failed repeatedly",
                                "were not tried, because the broker failed repeatedly")
                        + more,
                numbers);
        return (counts.isAll() && missing == 0 ? ExitCode.OK : ExitCode.FAILED).number();
    }

    private static String behind(int count, String one, String several) {
        return count == 0 ? "" : "; " + Counted.of(count, one, several);
    }
}
