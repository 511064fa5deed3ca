package dev.waybill.server.secrets;

import java.util.regex.Pattern;

/** Tells by its name whether a value is a secret. */
public final class SecretNames {
    /** Where something is, or what it is: no secret itself. */
    private static final Pattern HARMLESS = Pattern.compile("(?i)(?:url|uri|endpoint|location|path|file|type)$");

    private static final Pattern SECRET = Pattern.compile(
            "(?i)passw|passphrase|[._-]pwd|jaas|secret|token|credential|(?:api|access|private|account).?key"
                    + "|(?:^|[._-])key(?:[._-]|$)");

    private SecretNames() {}

    public static boolean isSecret(String name) {
        return SECRET.matcher(name).find() && !HARMLESS.matcher(name).find();
    }
}
