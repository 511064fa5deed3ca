package dev.waybill.server.secrets;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The parts of a JAAS configuration. A password that is not quoted falls into pieces, and Kafka's errors quote the piece they
 * stumble over; so every word is a secret that is not one of the language.
 */
public final class JaasSecrets {
    private static final Set<String> WORDS = Set.of(
            "required",
            "requisite",
            "sufficient",
            "optional",
            "username",
            "password",
            "true",
            "false",
            "tokenauth",
            "serviceName",
            "useKeyTab",
            "keyTab",
            "storeKey",
            "useTicketCache",
            "principal",
            "clientId",
            "clientSecret",
            "scope");

    private static final Pattern SEPARATORS = Pattern.compile("[\\s=\"';]+");

    private JaasSecrets() {}

    public static List<String> in(String configuration) {
        List<String> secrets = new ArrayList<>(List.of(configuration));
        String before = "";
        for (String word : SEPARATORS.split(configuration, -1)) {
            if (!WORDS.contains(word) && !word.contains("LoginModule") && !before.equals("username")) {
                secrets.add(word);
            }
            before = word;
        }
        return secrets;
    }
}
