package dev.waybill.server.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a JDBC URL may not have in it. */
final class JdbcUrl {
    /** What stands before the host ends with an at sign; a port is a number; MariaDB also takes address=(host=…)(port=…), and reads a password there. */
    private static final String HOST = "(?:(?:[\\w.%-]+|\\[[0-9A-Fa-f:.%]+\\])?(?::\\d*)?"
            + "|address=(?:\\((?i:host|port|type|sslmode)=[\\w.:%-]*\\))+)";

    private static final Pattern HOSTS = Pattern.compile(HOST + "(?:," + HOST + ")*");

    private static final Pattern BEGINNING = Pattern.compile("jdbc:(?:[\\w+]+:)+//([^/?;]*)([^?;]*)");
    private static final Pattern PASSWORD = Pattern.compile("(?i)[?&;]\\s*(?:password|pwd)\\s*=");

    private JdbcUrl() {}

    /**
     * @throws IllegalArgumentException when there is a user or a password in it; the message quotes nothing of the URL
     */
    static void check(String url) {
        Matcher beginning = BEGINNING.matcher(url);
        if (beginning.lookingAt()
                && (!HOSTS.matcher(beginning.group(1)).matches()
                        || beginning.group(2).contains("@"))) {
            throw new IllegalArgumentException(
                    "the url has something else than HOST:PORT between // and /, such as a user or"
                            + " a password, which drivers log: give them as user and password beside the url");
        }
        if (PASSWORD.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "the url has a password in it, which drivers log: give it as password beside the url");
        }
    }
}
