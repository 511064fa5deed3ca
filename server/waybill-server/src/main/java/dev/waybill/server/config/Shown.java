package dev.waybill.server.config;

import dev.waybill.server.secrets.Secrets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value as it may be shown.
 *
 * @param ours its beginning, which keeps its words: a hole there would spoil the page, and tell the password
 * @param theirs the rest, in which secrets are searched
 */
record Shown(String ours, String theirs) {
    private static final Pattern SCHEME =
            Pattern.compile("(?:jdbc:(?:postgresql|mariadb|h2):|mongodb(?:\\+srv)?:|amqps?:)(?://)?");

    static Shown ours(String text) {
        return new Shown(text, "");
    }

    static Shown theirs(String text) {
        return new Shown("", text);
    }

    /** What an address begins with says which kind it is. */
    static Shown address(String text) {
        Matcher scheme = SCHEME.matcher(text);
        int end = scheme.lookingAt() ? scheme.end() : 0;
        return new Shown(text.substring(0, end), text.substring(end));
    }

    String without(Secrets secrets) {
        return ours + secrets.hide(theirs);
    }
}
