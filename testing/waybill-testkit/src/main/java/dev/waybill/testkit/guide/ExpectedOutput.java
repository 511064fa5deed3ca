package dev.waybill.testkit.guide;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Lines that appear in an output, in this order; other lines may be between them. {@code …} stands for any text. The number of
 * spaces between words does not matter, because the columns of a table are as wide as what they show.
 */
record ExpectedOutput(List<String> lines) {
    static ExpectedOutput of(String text) {
        List<String> lines = text.lines()
                .map(ExpectedOutput::singleSpaces)
                .filter(line -> !line.isEmpty() && !line.equals("…"))
                .toList();
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("An output that expects nothing.");
        }
        return new ExpectedOutput(lines);
    }

    /** The first line that the output lacks. */
    Optional<String> missingIn(String output) {
        Iterator<String> printed =
                output.lines().map(ExpectedOutput::singleSpaces).iterator();
        return lines.stream().filter(line -> !skipTo(line, printed)).findFirst();
    }

    private static boolean skipTo(String line, Iterator<String> printed) {
        Pattern pattern = Pattern.compile(
                Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
        while (printed.hasNext()) {
            if (pattern.matcher(printed.next()).matches()) {
                return true;
            }
        }
        return false;
    }

    private static String singleSpaces(String line) {
        return line.strip().replaceAll("\\s+", " ");
    }
}
