package dev.waybill.server.config;

import dev.waybill.server.secrets.Secrets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value as it may be printed.
 *
 * @param ours its beginning, in which nothing is hidden: it is no secret, and hiding a word of it would reveal a password
 * @param theirs the rest, in which secrets are hidden
 * @param origin where the value comes from; empty if the file has it
 * @param reference the references that it is expanded from: its origin, and printed instead of it if it contains a secret
 */
record Shown(String ours, String theirs, String origin, Optional<Shown> reference) {
    private static final Pattern SCHEME =
            Pattern.compile("(?:jdbc:(?:postgresql|mariadb|h2):|mongodb(?:\\+srv)?:|amqps?:)(?://)?");

    /**
     * Without secrets.
     *
     * @param origin empty if the value is in the file
     */
    record Printed(String value, String origin) {}

    static Shown ours(String text) {
        return new Shown(text, "", "", Optional.empty());
    }

    static Shown theirs(String text) {
        return new Shown("", text, "", Optional.empty());
    }

    /** The scheme of an address is no secret. */
    static Shown address(String text) {
        Matcher scheme = SCHEME.matcher(text);
        int end = scheme.lookingAt() ? scheme.end() : 0;
        return new Shown(text.substring(0, end), text.substring(end), "", Optional.empty());
    }

    Shown from(String where) {
        return new Shown(ours, theirs, where, Optional.empty());
    }

    Shown expandedFrom(Shown references) {
        return new Shown(ours, theirs, "", Optional.of(references));
    }

    Printed without(Secrets secrets) {
        String hidden = secrets.hide(theirs);
        if (reference.isEmpty()) {
            return new Printed(ours + hidden, origin);
        }
        Printed written = reference.get().without(secrets);
        return hidden.equals(theirs) ? new Printed(ours + theirs, written.value()) : written;
    }
}
