package dev.waybill.server.terminal;

import java.util.regex.Pattern;

/** Text from events, brokers and stores as one word of a command that somebody pastes into a shell. */
public final class ShellWord {
    /** Means itself in every shell. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/:-]+");
    /** Control characters, ones that change the direction of text, and ends of lines: what is pasted is not what is shown. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private ShellWord() {}

    /** Whether it can be a part of a command: no terminal takes any of its characters for a key. */
    public static boolean isPossible(String text) {
        return !UNSEEN.matcher(text).find();
    }

    /** In quotes. */
    public static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /**
     * In quotes if that is necessary.
     *
     * @param otherwise a word for somebody to replace, used if the text cannot be a part of a command
     */
    public static String of(String text, String otherwise) {
        if (!isPossible(text)) {
            return otherwise;
        }
        return PLAIN.matcher(text).matches() ? text : quoted(text);
    }
}
