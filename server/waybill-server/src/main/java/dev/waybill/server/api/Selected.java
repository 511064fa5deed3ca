package dev.waybill.server.api;

import java.util.regex.Pattern;

/** What an operator selected, in words. */
final class Selected {
    /** From the first key or aggregate on: ids and keys may be personal data, and may contain any text. */
    private static final Pattern PERSONAL =
            Pattern.compile("\\b(aggregate|key) .*", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

    private Selected() {}

    /** For viewers without keys and aggregates. */
    static String shown(String words, boolean operator) {
        return operator ? words : PERSONAL.matcher(words).replaceFirst("$1 [hidden]");
    }
}
