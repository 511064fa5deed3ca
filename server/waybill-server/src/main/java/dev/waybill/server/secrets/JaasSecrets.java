package dev.waybill.server.secrets;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a JAAS configuration. An unquoted password splits into words, and Kafka's errors quote the word they
 * fail at; so every word is a secret that is not a keyword.
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
    /** A quoted text, which may contain separators. */
    private static final Pattern VALUE = Pattern.compile(
            "(\\w+)\\s*=\\s*(\"(?:[^\"\\\\]++|\\\\.)*\"|'(?:[^'\\\\]++|\\\\.)*'|.*?(?=\\s+\\w+\\s*=|\\s*;?\\s*$))",
            Pattern.DOTALL);

    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final Pattern AT_ENDS = Pattern.compile("^[\"']|[\"';]+$");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

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
        Matcher value = VALUE.matcher(configuration);
        while (value.find()) {
            if (!value.group(1).equals("username")) {
                addWhole(value.group(2), secrets);
            }
        }
        return secrets;
    }

    private static void addWhole(String written, List<String> secrets) {
        String value = AT_ENDS.matcher(written).replaceAll("");
        if (!WORDS.contains(value)) {
            secrets.add(value);
            secrets.add(ESCAPE.matcher(value).replaceAll("$1"));
            secrets.addAll(List.of(SPACES.split(value, -1)));
        }
    }
}
