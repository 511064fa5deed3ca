package dev.waybill.server;

import java.util.LinkedHashSet;
import java.util.Set;

/** Letters that could not be dealt with, beside those that were. */
final class LetterFailures {
    /** So many reasons are told; whoever wrote the letters decides how many there would be. */
    private static final int TOLD = 20;

    private final Set<String> reasons = new LinkedHashSet<>();
    private int count;

    void add(RuntimeException why) {
        count++;
        if (reasons.size() < TOLD) {
            reasons.add(String.valueOf(why.getMessage()));
        }
    }

    int count() {
        return count;
    }

    void tell(Output output) {
        if (!output.isJson()) {
            reasons.forEach(why -> output.line(Cell.harmless(why)));
            if (count > reasons.size()) {
                output.line("… and " + Cell.grouped(count - reasons.size()) + " more like these.");
            }
        }
    }

    /** Said behind what was done. */
    String words() {
        return count == 0 ? "" : "; " + Cell.grouped(count) + " could not be dealt with and stay";
    }

    ExitCode exitCode() {
        return count == 0 ? ExitCode.OK : ExitCode.FAILED;
    }
}
