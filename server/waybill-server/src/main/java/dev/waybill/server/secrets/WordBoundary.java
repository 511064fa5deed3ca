package dev.waybill.server.secrets;

/**
 * Finds the beginning and end of words. The last letter of an escape, a percent code or a colour does not belong to the next word:
 * {@code \nguest}, {@code %3Aguest} and {@code ESC[0mguest} all have the word guest.
 */
final class WordBoundary {
    private static final char ESCAPE = '\u001b';

    private WordBoundary() {}

    static boolean isBefore(int at, String text) {
        return at == 0 || !isLetterOrDigit(text.charAt(at - 1)) || endsEscape(at, text) || endsColour(at, text);
    }

    static boolean isAfter(int end, String text) {
        return end == text.length() || !isLetterOrDigit(text.charAt(end));
    }

    private static boolean isLetterOrDigit(char character) {
        return character < 128 && Character.isLetterOrDigit(character);
    }

    private static boolean endsEscape(int end, String text) {
        return endsCode(end, 1, "\\", text)
                || (isHex(end - 2, end, text) && (endsCode(end, 2, "%", text) || endsCode(end, 2, "\\x", text)))
                || (isHex(end - 4, end, text) && endsCode(end, 4, "\\u", text));
    }

    private static boolean endsCode(int end, int length, String begin, String text) {
        return text.startsWith(begin, end - length - begin.length());
    }

    private static boolean isHex(int begin, int end, String text) {
        for (int at = begin; at < end; at++) {
            if (at < 0 || Character.digit(text.charAt(at), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    /** An escape with digits, after its first character in any encoding. */
    private static boolean endsColour(int end, String text) {
        int at = end - 2;
        while (at >= 0 && (text.charAt(at) == ';' || Character.digit(text.charAt(at), 10) >= 0)) {
            at--;
        }
        if (at < 0 || text.charAt(at) != '[') {
            return false;
        }
        return at < end - 2
                || (at > 0 && (text.charAt(at - 1) == ESCAPE || text.charAt(at - 1) > 127))
                || (at >= 2 && text.regionMatches(true, at - 2, "1b", 0, 2));
    }
}
