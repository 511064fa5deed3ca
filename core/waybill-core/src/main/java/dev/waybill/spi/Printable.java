package dev.waybill.spi;

/**
 * A text from an event, a message or another system, as it may stand in a line of a log: in that line only. Whoever may insert an
 * event could otherwise write lines of their own, or make a terminal obey.
 */
public final class Printable {
    private static final int LONGEST = 4_000;

    private Printable() {}

    /** Characters that a log or a terminal would obey are replaced, and what is very long is cut. */
    public static String of(Object text) {
        String whole = String.valueOf(text);
        return whole.codePointCount(0, whole.length()) > LONGEST
                ? whole(whole.substring(0, whole.offsetByCodePoints(0, LONGEST))) + "…"
                : whole(whole);
    }

    /** The same, uncut. */
    public static String whole(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().map(Printable::harmless).forEach(printable::appendCodePoint);
        return printable.toString();
    }

    private static int harmless(int character) {
        if (character == '\n' || character == '\r' || character == '\t') {
            return ' ';
        }
        return isObeyed(character) ? '\uFFFD' : character;
    }

    /** Whether a log or a terminal would do something else with it than show it. */
    public static boolean isObeyed(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
