package dev.waybill.server.terminal;

import dev.waybill.server.secrets.ScrubbedOutput;
import dev.waybill.spi.Printable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/**
 * The terminal at the standard output.
 *
 * @param width in characters; unbounded without a terminal, so that programs get whole lines
 * @param colours whether it shows colours
 * @param present whether there is a terminal
 * @param charset of the standard output
 */
public record Terminal(int width, boolean colours, boolean present, Charset charset) {
    public static final Terminal NONE = new Terminal(Integer.MAX_VALUE, false, false);

    /** Set by the launcher: Java cannot distinguish the terminals of output and input. */
    private static final String PRESENT = "waybill.terminal";

    private static final String ARROW = "→";
    private static final String COLUMNS = "waybill.columns";
    private static final int USUAL = 80;
    private static final int NARROWEST = 20;

    public static Terminal detect() {
        Terminal found = detect(Boolean.getBoolean(PRESENT), Integer.getInteger(COLUMNS, 0), System.getenv());
        return new Terminal(found.width, found.colours, found.present, ScrubbedOutput.charsetOfOutput());
    }

    /** One that shows every character. */
    public Terminal(int width, boolean colours, boolean present) {
        this(width, colours, present, StandardCharsets.UTF_8);
    }

    /** Marks what to do. */
    public String arrow() {
        return charset.newEncoder().canEncode(ARROW) ? ARROW : "->";
    }

    /** @param columns from the launcher; 0 if unknown */
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

    /** Removes all control sequences but our own colours. */
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
