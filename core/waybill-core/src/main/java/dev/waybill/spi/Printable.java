package dev.waybill.spi;

/**
 * Makes text from an event, a message or another system safe for one line of a log. Otherwise such text could forge log lines or
 * send control sequences to a terminal.
 */
public final class Printable {
    private static final int LONGEST = 4_000;

    private Printable() {}

    /** Replaces control characters and truncates very long text. */
    public static String of(Object text) {
        String whole = String.valueOf(text);
        return whole.codePointCount(0, whole.length()) > LONGEST
                ? whole(whole.substring(0, whole.offsetByCodePoints(0, LONGEST))) + "…"
                : whole(whole);
    }

    /** Replaces control characters, without truncation. */
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

    /** Whether a log or a terminal would interpret the character instead of showing it. */
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
