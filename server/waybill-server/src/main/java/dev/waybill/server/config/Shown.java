package dev.waybill.server.config;

import dev.waybill.server.secrets.Secrets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value as it may be printed.
 *
 * @param ours its beginning, in which nothing is hidden: it is no secret, and hiding a word of it would reveal a password
 * @param theirs the rest, in which secrets are hidden
 * @param origin where the value comes from; empty if the file has it
 */
record Shown(String ours, String theirs, String origin) {
    private static final Pattern SCHEME =
            Pattern.compile("(?:jdbc:(?:postgresql|mariadb|h2):|mongodb(?:\\+srv)?:|amqps?:)(?://)?");

    static Shown ours(String text) {
        return new Shown(text, "", "");
    }

    static Shown theirs(String text) {
        return new Shown("", text, "");
    }

    /** The scheme of an address is no secret. */
    static Shown address(String text) {
        Matcher scheme = SCHEME.matcher(text);
        int end = scheme.lookingAt() ? scheme.end() : 0;
        return new Shown(text.substring(0, end), text.substring(end), "");
    }

    Shown from(String where) {
        return new Shown(ours, theirs, where);
    }

    String without(Secrets secrets) {
        return ours + secrets.hide(theirs);
    }
}
