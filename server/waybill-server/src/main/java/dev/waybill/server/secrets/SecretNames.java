package dev.waybill.server.secrets;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decides by its name whether a value is a secret. */
public final class SecretNames {
    /** Endings of names whose value is a location or a kind, and no secret. */
    private static final Pattern HARMLESS =
            Pattern.compile("(?i)(?:url|uri|endpoint|location|path|file|type|serializer|public[._-]?key)$");

    private static final Pattern SECRET = Pattern.compile(
            "(?i)passw|passphrase|passcode|jaas|secret|token|credential|(?:api|access|private|account).?key"
                    + "|(?:^|[._-])(?:bearer|cookie)(?:[._-]|$)");

    /** The end of a part of a name, as in {@code DB_PASS}, {@code DBPASS_OLD} and {@code masterKey}. */
    private static final Pattern ENDING = Pattern.compile("(?i)(?:pass|pwd|pw|key)$");

    private static final Pattern PARTS = Pattern.compile("[._-]+");

    /** Words with such an ending that are no secrets; {@code PWD} and {@code OLDPWD} are directories. */
    private static final Set<String> OTHER_WORDS = Set.of(
            "pwd",
            "oldpwd",
            "compass",
            "bypass",
            "encompass",
            "overpass",
            "surpass",
            "trespass",
            "underpass",
            "donkey",
            "hockey",
            "hotkey",
            "jockey",
            "monkey",
            "turkey",
            "whiskey");

    /** As in {@code DB_PASSWORD_FILE} and {@code GOOGLE_APPLICATION_CREDENTIALS}; not {@code GIT_ASKPASS}, which names a program. */
    private static final Pattern OF_A_FILE = Pattern.compile("(?i)[._-]?(?:file|path|location)$");

    private static final Pattern CREDENTIALS = Pattern.compile("(?i)credentials?$");

    private static final Pattern LOGIN = Pattern.compile("(?i)user[._-]?info|authori[sz]ation");

    private SecretNames() {}

    public static boolean isSecret(String name) {
        return ((SECRET.matcher(name).find() || hasEnding(name))
                        && !HARMLESS.matcher(name).find())
                || isLogin(name);
    }

    private static boolean hasEnding(String name) {
        String[] parts = PARTS.split(name);
        return Arrays.stream(parts)
                .anyMatch(part -> ENDING.matcher(part).find()
                        && (!OTHER_WORDS.contains(part.toLowerCase(Locale.ROOT)) || isPassword(part, parts)));
    }

    /** As in {@code DB_PWD}. */
    private static boolean isPassword(String part, String... parts) {
        return part.equalsIgnoreCase("pwd") && parts.length > 1;
    }

    /** Whether the value is the name of a file that holds a secret. */
    static boolean isFileOfSecrets(String name) {
        Matcher file = OF_A_FILE.matcher(name);
        return CREDENTIALS.matcher(name).find() || (file.find() && isSecret(name.substring(0, file.start())));
    }

    /** Whether the value is a user with a password, or the value of an authorization header. */
    public static boolean isLogin(String name) {
        return LOGIN.matcher(name).find();
    }
}
