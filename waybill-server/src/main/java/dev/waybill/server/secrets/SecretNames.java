package dev.waybill.server.secrets;

import java.util.regex.Pattern;

/** Tells by its name whether a value is a secret. */
public final class SecretNames {
    /** Where something is, or what it is: no secret itself. */
    private static final Pattern HARMLESS = Pattern.compile("(?i)(?:url|uri|endpoint|location|path|file|type)$");

    /** {@code PWD} alone is a directory. */
    private static final Pattern SECRET = Pattern.compile(
            "(?i)passw|passphrase|passcode|[._-]pwd|jaas|secret|token|credential|(?:api|access|private|account).?key"
                    + "|(?:^|[._-])(?:key|pass|pw|bearer|cookie)(?:[._-]|$)|(?-i:[a-z](?:Pass|Pw|Pwd)$)");

    private static final Pattern LOGIN = Pattern.compile("(?i)user[._-]?info|authori[sz]ation");

    private SecretNames() {}

    public static boolean isSecret(String name) {
        return (SECRET.matcher(name).find() && !HARMLESS.matcher(name).find()) || isLogin(name);
    }

    /** Whether the value is a user with a password, or what is sent in a header instead. */
    public static boolean isLogin(String name) {
        return LOGIN.matcher(name).find();
    }
}
