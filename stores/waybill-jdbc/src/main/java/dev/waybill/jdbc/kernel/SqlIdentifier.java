package dev.waybill.jdbc.kernel;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/** The one place where a name from configuration becomes part of a statement. */
public final class SqlIdentifier {
    /** PostgreSQL cuts longer names off silently, and then another object would be meant. */
    private static final int MAX_BYTES = 63;
    /** PostgreSQL takes these for everybody and for nobody, also in quotes. */
    private static final Set<String> NO_ROLES = Set.of("public", "none");

    private static final Pattern PLAIN = Pattern.compile("[a-z][a-z0-9_]*");
    /** Words H2 reads as something else where a name could stand. */
    private static final Set<String> H2_WORDS = Set.of(
            ("all and any array as asymmetric authorization between both case cast check constraint cross current_catalog"
                            + " current_date current_path current_role current_schema current_time current_timestamp"
                            + " current_user day default distinct else end except exists false fetch for foreign from full"
                            + " group groups having hour if ilike in inner intersect interval is join key leading left like"
                            + " limit localtime localtimestamp minus minute month natural not null offset on or order over"
                            + " partition primary qualify range regexp right row rownum rows second select session_user set"
                            + " some symmetric system_user table to top trailing true uescape union unique unknown user"
                            + " using value values when where window with year")
                    .split(" "));

    private SqlIdentifier() {}

    public static String quote(String name) {
        return quote(name, '"');
    }

    /** The name between the quotes of a database: a quote in it is doubled, and stays a part of the name. */
    private static String quote(String name, char quote) {
        require(name);
        String q = String.valueOf(quote);
        return q + name.replace(q, q + q) + q;
    }

    /** MariaDB has no names with characters beyond the first 65,536, and none that end with a space. */
    public static String quoteForMariaDb(String name) {
        if (name.endsWith(" ") || name.codePoints().anyMatch(Character::isSupplementaryCodePoint)) {
            throw new IllegalArgumentException("\"" + name
                    + "\" cannot be a name in MariaDB: it ends with a space, or has a character beyond U+FFFF.");
        }
        return quote(name, '`');
    }

    /**
     * Between quotes, unless it is a plain name in small letters: H2 folds such a name as it does in a script without quotes,
     * to large letters or, if so set up, to small ones. The tables people have on H2 are called so.
     */
    public static String quoteForH2(String name) {
        require(name);
        return PLAIN.matcher(name).matches() && !H2_WORDS.contains(name) ? name : quote(name, '"');
    }

    /** Refuses what some database would cut off, take for something else, or not take at all. */
    public static void require(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (name.isBlank() || bytes > MAX_BYTES || name.codePoints().anyMatch(SqlIdentifier::isUnusable)) {
            throw new IllegalArgumentException("\"" + name + "\" cannot be a name in SQL: use 1 to " + MAX_BYTES
                    + " bytes (it has " + bytes + ") of valid text without control characters.");
        }
    }

    public static String quoteRole(String name) {
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
