package dev.waybill.server.config;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The forms a JDBC URL may have, one for each database. Any other form is refused and not shown: drivers quote what they
 * cannot parse, which may be a misplaced password.
 */
final class JdbcUrl {
    /** MariaDB also takes address=(host=…)(port=…), and reads a password there. */
    private static final String HOST = "(?:(?:[\\w.%-]+|\\[[0-9A-Fa-f:.%]+\\])?(?::\\d*)?"
            + "|address=(?:\\((?i:host|port|type|sslmode)=[\\w.:%-]*\\))+)";

    private static final String HOSTS = HOST + "(?:," + HOST + ")*";
    private static final String DATABASE = "[^@:/?;&=\\s]*";
    private static final String REST = "(?:\\?.*)?";

    private static final List<Pattern> FORMS = List.of(
            Pattern.compile("jdbc:postgresql:(?://" + HOSTS + "(?:/" + DATABASE + ")?|/?" + DATABASE + ")" + REST),
            Pattern.compile("jdbc:mariadb:(?:(?i:sequential|replication|load-?balance):)?//" + HOSTS + "(?:/" + DATABASE
                    + ")?" + REST),
            Pattern.compile("jdbc:h2:(?:mem|file):[\\w./~ -]*(?:;.*)?"));

    private static final Pattern PASSWORD = Pattern.compile("(?i)[?&;]\\s*(?:password|pwd)\\s*=");

    private static final String LOGIN =
            "the keys user and password of a configuration, or on the command line with --user, and --password-file or"
                    + " WAYBILL_DB_PASSWORD";

    private JdbcUrl() {}

    /**
     * @throws IllegalArgumentException if it has another form or contains a password; the message does not quote the URL
     */
    static void check(String url) {
        if (PASSWORD.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "the url contains a password, which drivers log: give it with " + LOGIN + " instead");
        }
        if (FORMS.stream().noneMatch(form -> form.matcher(url).matches())) {
            throw new IllegalArgumentException("the url has neither the form jdbc:postgresql://HOST:PORT/DATABASE nor"
                    + " jdbc:mariadb://HOST:PORT/DATABASE, each optionally followed by ?NAME=VALUE&…. A user or a"
                    + " password does not belong there, since drivers log it: give them with " + LOGIN);
        }
    }
}
