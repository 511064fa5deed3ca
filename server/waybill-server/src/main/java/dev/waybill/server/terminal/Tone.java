package dev.waybill.server.terminal;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The meaning of a word, shown as a colour on a terminal. */
public enum Tone {
    PLAIN(""),
    GOOD("\u001b[32m"),
    WARN("\u001b[33m"),
    BAD("\u001b[31m"),
    FAINT("\u001b[2m"),
    STRONG("\u001b[1m");

    private static final String END = "\u001b[0m";
    /** The only control sequences that are written to a terminal. */
    static final Pattern CODES = Pattern.compile(
            Stream.concat(Stream.of(END), Arrays.stream(values()).map(tone -> tone.begin))
                    .filter(code -> !code.isEmpty())
                    .map(Pattern::quote)
                    .collect(Collectors.joining("|")));

    private final String begin;

    Tone(String begin) {
        this.begin = begin;
    }

    String paint(String text) {
        return this == PLAIN || text.isBlank() ? text : begin + text + END;
    }
}
