package dev.waybill.format;

import java.nio.charset.StandardCharsets;

/** Operations on JSON text as bytes, so that payloads are never decoded to strings. */
final class Bytes {
    static final byte[] NONE = {};
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final int SMALL_NUMBERS = 100;
    private static final byte[][] SMALL = new byte[SMALL_NUMBERS][];

    static {
        for (int i = 0; i < SMALL_NUMBERS; i++) {
            SMALL[i] = ascii(Integer.toString(i));
        }
    }

    private Bytes() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] number(int number) {
        return number >= 0 && number < SMALL_NUMBERS ? SMALL[number] : ascii(Integer.toString(number));
    }

    /** Whether the text is a JSON number: no leading zero, no plus sign, digits on both sides of the point. */
    static boolean isNumber(byte[] text) {
        int at = text.length > 0 && text[0] == '-' ? 1 : 0;
        int whole = digits(text, at);
        if (whole == at || (whole > at + 1 && text[at] == '0')) {
            return false;
        }
        at = whole;
        if (at < text.length && text[at] == '.') {
            int fraction = digits(text, at + 1);
            if (fraction == at + 1) {
                return false;
            }
            at = fraction;
        }
        return at == text.length || isExponent(text, at);
    }

    private static boolean isExponent(byte[] text, int from) {
        if (text[from] != 'e' && text[from] != 'E') {
            return false;
        }
        boolean signed = from + 1 < text.length && (text[from + 1] == '+' || text[from + 1] == '-');
        int first = from + (signed ? 2 : 1);
        return first < text.length && digits(text, first) == text.length;
    }

    /** End of the digits that start here. */
    private static int digits(byte[] text, int from) {
        int at = from;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at;
    }

    /** The arrays concatenated. */
    static byte[] join(byte[]... pieces) {
        int length = 0;
        for (byte[] piece : pieces) {
            length = Math.addExact(length, piece.length);
        }
        byte[] joined = new byte[length];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, joined, at, piece.length);
            at += piece.length;
        }
        return joined;
    }

    /** The text escaped for a JSON string, without quotes; the same array if nothing needs escaping. */
    static byte[] escaped(byte[] utf8) {
        int length = utf8.length;
        for (byte b : utf8) {
            if (needsEscape(b)) {
                length += escape(b) == 'u' ? 5 : 1;
            }
        }
        return length == utf8.length ? utf8 : escape(utf8, new byte[length]);
    }

    private static byte[] escape(byte[] utf8, byte[] escaped) {
        int at = 0;
        for (byte b : utf8) {
            if (!needsEscape(b)) {
                escaped[at++] = b;
                continue;
            }
            byte letter = escape(b);
            escaped[at++] = '\\';
            escaped[at++] = letter;
            if (letter == 'u') {
                escaped[at++] = '0';
                escaped[at++] = '0';
                escaped[at++] = HEX[b >> 4];
                escaped[at++] = HEX[b & 0xF];
            }
        }
        return escaped;
    }

    /** Negative bytes belong to non-ASCII characters, which JSON does not escape. */
    private static boolean needsEscape(byte b) {
        return b == '"' || b == '\\' || (b >= 0 && b < 0x20);
    }

    private static byte escape(byte b) {
        return switch (b) {
            case '"', '\\' -> b;
            case '\b' -> 'b';
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\f' -> 'f';
            case '\r' -> 'r';
            default -> 'u';
        };
    }
}
