package dev.waybill.server.cli;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.inbox.LetterCounts;
import dev.waybill.server.terminal.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a command answers that dealt with dead letters. Every letter that was asked for is counted.
 *
 * @param done what was done with those that were dealt with
 * @param json the name of their number
 * @param missing how many of the places that were given have no letter
 */
record LetterAnswer(String done, String json, LetterCounts counts, int missing) {

    /** @return the exit code */
    int tell(Output output, LetterFailures failures, List<DeadLetterEntry> letters) {
        failures.tell(output);
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put(json, counts.done());
        numbers.put("failed", counts.failed());
        numbers.put("notThere", notThere());
        numbers.put("notTried", counts.notTried());
        output.done(
                done + " " + Cell.grouped(counts.done())
                        + behind(counts.failed(), " could not be dealt with and stay")
                        + behind(notThere(), " were not there, or are held by somebody who looks at them")
                        + behind(counts.notTried(), " were not tried, because the broker failed again and again")
                        + Letters.more(letters),
                numbers);
        return exitCode().number();
    }

    private int notThere() {
        return counts.notThere() + missing;
    }

    private static String behind(int count, String words) {
        return count == 0 ? "" : "; " + Cell.grouped(count) + words;
    }

    private ExitCode exitCode() {
        return counts.isAll() && missing == 0 ? ExitCode.OK : ExitCode.FAILED;
    }
}
