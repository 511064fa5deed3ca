package dev.waybill.server.secrets;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of {@code user:password}, or of an authorization header such as {@code Bearer …} or {@code Basic …}. */
public final class LoginSecrets {
    private static final Pattern SCHEME = Pattern.compile("(?i)(basic|bearer|token|apikey|negotiate)\\s+(\\S.*)");

    private LoginSecrets() {}

    public static List<String> in(String login) {
        List<String> secrets = new ArrayList<>(List.of(login));
        Matcher header = SCHEME.matcher(login.strip());
        if (!header.matches()) {
            addPassword(login, secrets);
            return secrets;
        }
        secrets.add(header.group(2));
        if (header.group(1).equalsIgnoreCase("basic")) {
            addDecoded(header.group(2).strip(), secrets);
        }
        return secrets;
    }

    private static void addDecoded(String encoded, List<String> secrets) {
        try {
            addPassword(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8), secrets);
        } catch (IllegalArgumentException e) {
            return; // no base64: it is a secret as it is
        }
    }

    private static void addPassword(String userAndPassword, List<String> secrets) {
        int colon = userAndPassword.indexOf(':');
        if (colon >= 0) {
            secrets.add(userAndPassword.substring(colon + 1));
        }
    }
}
