package dev.waybill.server.secrets;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * An encoded character: percent-encoded, a JSON escape, an XML entity, a plus for a space, or a doubled quote in SQL.
 *
 * @param end the index after it
 */
record EncodedCharacter(int character, int end) {
    /** The characters that begin an encoding. */
    static final List<Character> BEGINNINGS = List.of('%', '\\', '&', '+', '\'', '"');

    private static final EncodedCharacter NONE = new EncodedCharacter(-1, -1);
    private static final Map<Character, Character> ESCAPES =
            Map.of('n', '\n', 'r', '\r', 't', '\t', 'b', '\b', 'f', '\f', '"', '"', '\'', '\'', '\\', '\\', '/', '/');
    private static final Map<String, Character> ENTITIES =
            Map.of("amp", '&', "lt", '<', "gt", '>', "quot", '"', "apos", '\'');
    /** The largest character in hexadecimal, with zeros before it. */
    private static final int LONGEST_ENTITY = 12;

    /** Decodes the character at an index; {@link #isNone} if none is encoded there. */
    static EncodedCharacter at(int at, String text) {
        return switch (text.charAt(at)) {
            case '%' -> percent(at, text);
            case '\\' -> escape(at, text);
            case '&' -> entity(at, text);
            case '+' -> new EncodedCharacter(' ', at + 1);
            case '\'', '"' -> doubled(at, text);
            default -> NONE;
        };
    }

    /** Whether no encoding begins with this character. */
    static boolean isPlain(char character) {
        return switch (character) {
            case '%', '\\', '&', '+', '\'', '"' -> false;
            default -> true;
        };
    }

    boolean isNone() {
        return end < 0;
    }

    private static EncodedCharacter doubled(int at, String text) {
        char quote = text.charAt(at);
        return at + 1 < text.length() && text.charAt(at + 1) == quote ? new EncodedCharacter(quote, at + 2) : NONE;
    }

    private static EncodedCharacter percent(int at, String text) {
        int first = percentByte(at, text);
        if (first < 0) {
            return NONE;
        }
        int bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
        byte[] encoded = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            encoded[i] = (byte) percentByte(at + 3 * i, text);
        }
        String character = new String(encoded, StandardCharsets.UTF_8);
        // Not UTF-8: each byte was encoded as one character.
        return first < 0x80 || character.indexOf('\uFFFD') >= 0
                ? new EncodedCharacter(first, at + 3)
                : new EncodedCharacter(character.codePointAt(0), at + 3 * bytes);
    }

    private static int percentByte(int at, String text) {
        return at < text.length() && text.charAt(at) == '%' ? hex(at + 1, 2, text) : -1;
    }

    private static EncodedCharacter escape(int at, String text) {
        if (at + 1 >= text.length()) {
            return NONE;
        }
        char kind = text.charAt(at + 1);
        if (kind == 'u') {
            return unicode(at, text);
        }
        if (kind == 'x') {
            int character = hex(at + 2, 2, text);
            return character < 0 ? NONE : new EncodedCharacter(character, at + 4);
        }
        Character character = ESCAPES.get(kind);
        return character == null ? NONE : new EncodedCharacter(character, at + 2);
    }

    private static EncodedCharacter unicode(int at, String text) {
        int unit = hex(at + 2, 4, text);
        if (unit < 0) {
            return NONE;
        }
        if (Character.isHighSurrogate((char) unit) && text.startsWith("\\u", at + 6)) {
            int low = hex(at + 8, 4, text);
            if (low >= 0 && Character.isLowSurrogate((char) low)) {
                return new EncodedCharacter(Character.toCodePoint((char) unit, (char) low), at + 12);
            }
        }
        return new EncodedCharacter(unit, at + 6);
    }

    private static EncodedCharacter entity(int at, String text) {
        int end = at + 1;
        while (end < text.length() && end < at + LONGEST_ENTITY && text.charAt(end) != ';') {
            end++;
        }
        if (end >= text.length() || text.charAt(end) != ';') {
            return NONE;
        }
        String name = text.substring(at + 1, end);
        Character named = ENTITIES.get(name);
        if (named != null) {
            return new EncodedCharacter(named, end + 1);
        }
        int number = -1;
        if (name.startsWith("#x") || name.startsWith("#X")) {
            number = number(name, 2, name.length(), 16);
        } else if (name.startsWith("#")) {
            number = number(name, 1, name.length(), 10);
        }
        return Character.isValidCodePoint(number) ? new EncodedCharacter(number, end + 1) : NONE;
    }

    private static int hex(int at, int digits, String text) {
        return at + digits <= text.length() ? number(text, at, at + digits, 16) : -1;
    }

    /** -1 if it is not the number of a character. */
    private static int number(String text, int begin, int end, int radix) {
        int number = begin < end ? 0 : -1;
        for (int at = begin; at < end; at++) {
            int digit = Character.digit(text.charAt(at), radix);
            if (digit < 0 || number > Character.MAX_CODE_POINT) {
                return -1;
            }
            number = number * radix + digit;
        }
        return number;
    }
}
