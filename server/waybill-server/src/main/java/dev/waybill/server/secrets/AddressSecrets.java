package dev.waybill.server.secrets;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The secrets in a URL or URI: the part before the host, and parameters that are secrets by their name, or contain one. */
public final class AddressSecrets {
    private static final Pattern USER_INFO = Pattern.compile("//([^/@\\s]*:[^/\\s]*)@");
    /** With a slash in the password that is not encoded as %2F. */
    private static final Pattern USER_INFO_WITH_SLASH =
            Pattern.compile("//([^/@:\\s]*:(?!\\d+(?:[,/?\\s]|$))[^@\\s]*)@");

    /** Without the two slashes, which drivers refuse and quote: {@code jdbc:mariadb:user:password@host}. */
    private static final Pattern USER_INFO_WITHOUT_SLASHES =
            Pattern.compile("(?i)jdbc:[\\w+-]+:(?!//)((?=[^/:@?;\\s]*[:/])[^?;\\s]*)@");

    private static final Pattern PARAMETER = Pattern.compile("([?&;])([^=&;?]*)=([^&;]*)");
    /** Such as {@code authMechanismProperties=AWS_SESSION_TOKEN:…}. */
    private static final Pattern PROPERTY = Pattern.compile("([\\w.-]+):([^,]*)");

    /** MariaDB's form: {@code address=(host=…)(password=…)}. */
    private static final Pattern IN_BRACKETS = Pattern.compile("(\\()([\\w.-]+)=([^)]*)(?=\\))");

    private static final Pattern DELIMITERS = Pattern.compile("[/?#@:]");

    private AddressSecrets() {}

    public static List<String> in(String address) {
        List<String> secrets = new ArrayList<>();
        addPasswords(USER_INFO, address, secrets);
        addPasswords(USER_INFO_WITH_SLASH, address, secrets);
        addPasswords(USER_INFO_WITHOUT_SLASHES, address, secrets);
        for (Pattern pattern : List.of(PARAMETER, IN_BRACKETS)) {
            pattern.matcher(address)
                    .results()
                    .forEach(parameter -> addParameter(parameter.group(2), parameter.group(3), secrets));
        }
        return secrets;
    }

    private static void addPasswords(Pattern userInfo, String address, List<String> secrets) {
        Matcher matcher = userInfo.matcher(address);
        while (matcher.find()) {
            String password = matcher.group(1).substring(matcher.group(1).indexOf(':') + 1);
            secrets.add(password);
            // A parser that mistakes a character of it for a separator quotes the text before or after that character.
            secrets.addAll(List.of(DELIMITERS.split(password, -1)));
        }
    }

    private static void addParameter(String name, String value, List<String> secrets) {
        if (SecretNames.isSecret(name)) {
            secrets.add(value);
        }
        Matcher property = PROPERTY.matcher(value);
        while (property.find()) {
            if (SecretNames.isSecret(property.group(1))) {
                secrets.add(property.group(2));
            }
        }
    }

    /** The address without secrets. */
    public static String hiddenIn(String address) {
        String hidden = "//" + Secrets.HIDDEN + "@";
        String withoutUser = USER_INFO.matcher(address).replaceAll(hidden);
        String withoutAnyUser = USER_INFO_WITHOUT_SLASHES
                .matcher(USER_INFO_WITH_SLASH.matcher(withoutUser).replaceAll(hidden))
                .replaceAll("jdbc:" + Secrets.HIDDEN + "@");
        String withoutParameters = PARAMETER.matcher(withoutAnyUser).replaceAll(AddressSecrets::hiddenParameter);
        return IN_BRACKETS.matcher(withoutParameters).replaceAll(AddressSecrets::hiddenParameter);
    }

    private static String hiddenParameter(MatchResult parameter) {
        List<String> secrets = new ArrayList<>();
        addParameter(parameter.group(2), parameter.group(3), secrets);
        return Matcher.quoteReplacement(
                secrets.isEmpty() ? parameter.group() : parameter.group(1) + parameter.group(2) + "=" + Secrets.HIDDEN);
    }
}
