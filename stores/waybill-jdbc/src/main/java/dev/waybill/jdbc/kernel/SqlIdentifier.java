package dev.waybill.jdbc.kernel;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/** Quotes names from configuration for use in statements. */
public final class SqlIdentifier {
    /** PostgreSQL silently truncates longer names, which could then refer to another object. */
    private static final int MAX_BYTES = 63;
    /** Pseudo-roles of PostgreSQL, even in quotes. */
    private static final Set<String> NO_ROLES = Set.of("public", "none");

    private static final Pattern PLAIN = Pattern.compile("[a-z][a-z0-9_]*");
    /** Reserved words of H2. */
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

    /** The name in quotes of the database; a quote inside is doubled. */
    private static String quote(String name, char quote) {
        require(name);
        String q = String.valueOf(quote);
        return q + name.replace(q, q + q) + q;
    }

    /** Names in MariaDB cannot contain characters above U+FFFF or end with a space. */
    public static String quoteForMariaDb(String name) {
        if (name.endsWith(" ") || name.codePoints().anyMatch(Character::isSupplementaryCodePoint)) {
            throw new IllegalArgumentException("\"" + name
                    + "\" cannot be a name in MariaDB: it ends with a space, or has a character beyond U+FFFF.");
        }
        return quote(name, '`');
    }

    /**
     * In quotes, unless it is a simple lower-case name: H2 folds such a name to upper case (or to lower case, if so configured)
     * like in scripts without quotes, with which existing tables on H2 were created.
     */
    public static String quoteForH2(String name) {
        require(name);
        return PLAIN.matcher(name).matches() && !H2_WORDS.contains(name) ? name : quote(name, '"');
    }

    /** Refuses names that some database would truncate, misinterpret or reject. */
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
                            + "\" is not a role in PostgreSQL, even in quotes (public means everybody): name an existing role.");
        }
        return quote(name);
    }

    /** UTF-8 cannot encode an unpaired surrogate: another character would be sent. */
    private static boolean isUnusable(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    }
}
