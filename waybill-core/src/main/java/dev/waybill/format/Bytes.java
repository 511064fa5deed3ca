package dev.waybill.format;

import java.nio.charset.StandardCharsets;

/** The few things done to bytes of JSON text. Nothing here makes a String of what an event holds. */
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

    /** All of them one after the other, in an array that just fits. */
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

    /** The text as it stands between the quotes of a JSON string: the same array when nothing needs escaping. */
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

    /** Bytes below zero belong to characters beyond ASCII, which JSON takes as they are. */
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
