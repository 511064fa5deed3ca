package dev.waybill.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The one place where a name from configuration becomes part of a statement. */
final class SqlIdentifier {
    /** PostgreSQL cuts longer names off silently, and then another object would be meant. */
    private static final int MAX_BYTES = 63;
    /** PostgreSQL takes these for everybody and for nobody, also in quotes. */
    private static final Set<String> NO_ROLES = Set.of("public", "none");

    private SqlIdentifier() {}

    static String quote(String name) {
        return quote(name, '"');
    }

    /** The name between the quotes of a database: a quote in it is doubled, and stays a part of the name. */
    static String quote(String name, char quote) {
        require(name);
        String q = String.valueOf(quote);
        return q + name.replace(q, q + q) + q;
    }

    /** Refuses what some database would cut off, take for something else, or not take at all. */
    static void require(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (name.isBlank() || bytes > MAX_BYTES || name.codePoints().anyMatch(SqlIdentifier::isUnusable)) {
            throw new IllegalArgumentException("\"" + name + "\" cannot be a name in SQL: use 1 to " + MAX_BYTES
                    + " bytes (it has " + bytes + ") of valid text without control characters.");
        }
    }

    static String quoteRole(String name) {
        if (NO_ROLES.contains(name)) {
            throw new IllegalArgumentException(
                    "\"" + name
                            + "\" is no role to PostgreSQL, also not in quotes (public means everybody): name a role of its own.");
        }
        return quote(name);
    }

    /** Half a surrogate pair has no form in UTF-8: it would be sent as another character. */
    private static boolean isUnusable(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    }
}
