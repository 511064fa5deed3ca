package dev.waybill.server.api;

/** Errors that differ only in numbers, ids and quoted parts are one kind of error. */
final class ErrorText {
    private static final int LONGEST = 300;
    /** Characters at the beginning of an error that decide its kind. */
    private static final int LOOKED_AT = 2 * LONGEST;

    /** An apostrophe without a partner within so many characters is not a quote. */
    private static final int LONGEST_QUOTE = 200;

    private static final int SHORTEST_HEX = 8;
    private static final int LONGEST_HEX = 64;
    private static final int UUID_LENGTH = 36;

    private final String error;
    private final StringBuilder plain = new StringBuilder();

    private ErrorText(String error) {
        this.error = error;
    }

    /** One pass without regular expressions: a page of failures has up to 10,000 of them. */
    static String normalised(String error) {
        String plain = new ErrorText(beginning(error)).scan().strip();
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) + "…" : plain;
    }

    /** What is looked at; all of a short error. */
    static String beginning(String error) {
        return error.length() > LOOKED_AT ? error.substring(0, LOOKED_AT) : error;
    }

    private String scan() {
        for (int at = 0; at < error.length(); ) {
            char next = error.charAt(at);
            int end = next == '"' || next == '`' || next == '\'' ? endOfQuote(at) : at;
            if (end > at) {
                plain.append("\"…\"");
                at = end;
            } else if (isWord(next)) {
                at = word(at);
            } else {
                plain.append(next);
                at++;
            }
        }
        return plain.toString();
    }

    /** The place after the quote that begins here; the same place if it does not end. */
    private int endOfQuote(int begin) {
        char quote = error.charAt(begin);
        int end = error.indexOf(quote, begin + 1);
        boolean tooLong = quote == '\'' && end > begin + 1 + LONGEST_QUOTE;
        return end < 0 || tooLong ? begin : end + 1;
    }

    /** Adds the word that begins here, and returns the place after it. */
    private int word(int begin) {
        if (isUuid(begin)) {
            plain.append("ID");
            return begin + UUID_LENGTH;
        }
        int end = endOfWord(begin);
        if (isHex(begin, end)) {
            plain.append("ID");
            return end;
        }
        for (int at = begin; at < end; at++) {
            char next = error.charAt(at);
            if (!isDigit(next)) {
                plain.append(next);
            } else if (at == begin || !isDigit(error.charAt(at - 1))) {
                plain.append('N');
            }
        }
        return end;
    }

    private int endOfWord(int begin) {
        int end = begin;
        while (end < error.length() && isWord(error.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Whether it looks like a hash or a number in hexadecimal form. */
    private boolean isHex(int begin, int end) {
        boolean digit = false;
        for (int at = begin; at < end; at++) {
            char next = error.charAt(at);
            if (Character.digit(next, 16) < 0) {
                return false;
            }
            digit |= isDigit(next);
        }
        return digit && end - begin >= SHORTEST_HEX && end - begin <= LONGEST_HEX;
    }

    private boolean isUuid(int begin) {
        if (begin + UUID_LENGTH > error.length() || endOfWord(begin + UUID_LENGTH) > begin + UUID_LENGTH) {
            return false;
        }
        for (int at = 0; at < UUID_LENGTH; at++) {
            char next = error.charAt(begin + at);
            boolean dash = at == 8 || at == 13 || at == 18 || at == 23;
            if (dash ? next != '-' : !isWord(next) || Character.digit(next, 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWord(char next) {
        return isDigit(next) || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '_';
    }

    private static boolean isDigit(char next) {
        return next >= '0' && next <= '9';
    }
}
