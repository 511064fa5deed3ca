package dev.waybill.server.cli;

import dev.waybill.server.terminal.Cell;
import java.util.LinkedHashSet;
import java.util.Set;

/** Why letters could not be dealt with. */
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

    void tell(Output output) {
        if (!output.isJson()) {
            reasons.forEach(why -> output.line(Cell.harmless(why)));
            if (count > reasons.size()) {
                output.line("… and " + Cell.grouped(count - reasons.size()) + " more like these.");
            }
        }
    }
}
