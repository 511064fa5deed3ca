package dev.waybill.server.terminal;

import dev.waybill.spi.Printable;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/**
 * What is at the other end of the standard output.
 *
 * @param width in characters; without bound when it is no terminal, so that a program gets whole lines
 * @param colours whether it shows them
 * @param present whether it is a terminal at all
 */
public record Terminal(int width, boolean colours, boolean present) {
    public static final Terminal NONE = new Terminal(Integer.MAX_VALUE, false, false);

    /** What the launcher saw, as a system property: Java cannot tell the output's terminal from the input's. */
    private static final String PRESENT = "waybill.terminal";

    private static final String COLUMNS = "waybill.columns";
    private static final int USUAL = 80;
    private static final int NARROWEST = 20;

    public static Terminal detect() {
        return detect(Boolean.getBoolean(PRESENT), Integer.getInteger(COLUMNS, 0), System.getenv());
    }

    /** @param columns as the launcher saw it; 0 when it could not tell */
    public static Terminal detect(boolean present, int columns, Map<String, String> environment) {
        if (!present) {
            return NONE;
        }
        int width = columns > 0 ? columns : number(environment.getOrDefault("COLUMNS", ""));
        boolean colours = environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return new Terminal(Math.max(NARROWEST, width), colours, true);
    }

    private static int number(String text) {
        return text.matches("[1-9]\\d{0,4}") ? Integer.parseInt(text) : USUAL;
    }

    public String paint(Cell cell) {
        return paint(cell.text(), cell.tone());
    }

    public String paint(String text, Tone tone) {
        return colours ? tone.paint(text) : text;
    }

    /** Lines of ours, with texts from anywhere in them: it obeys nothing but our own colours. */
    public String harmless(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        Matcher code = Tone.CODES.matcher(text);
        int begin = 0;
        while (colours && code.find()) {
            clean.append(lines(text.substring(begin, code.start()))).append(code.group());
            begin = code.end();
        }
        return clean.append(lines(text.substring(begin))).toString();
    }

    private static String lines(String text) {
        return Arrays.stream(text.split("\r?\n", -1))
                .map(Printable::whole)
                .collect(Collectors.joining(System.lineSeparator()));
    }
}
