package dev.waybill.server.config;

import dev.waybill.server.secrets.AddressSecrets;
import dev.waybill.server.secrets.JaasSecrets;
import dev.waybill.server.secrets.LoginSecrets;
import dev.waybill.server.secrets.SecretNames;
import dev.waybill.server.secrets.Secrets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** How the value of a key is printed, and which secrets it contains. */
enum Hiding {
    /** A word of the schema, a number, or a name in the file: printed as it is, even if a password is the same word. */
    OURS,
    /** Any text: printed without known secrets. */
    NOTHING,
    /** A secret: only a reference to it is printed. */
    ALL,
    /** A JAAS configuration of Kafka: the whole is a secret, and so are its parts. */
    JAAS,
    /** A user with a password, or a header: the whole is a secret, and so are its parts. */
    LOGIN,
    /** An address that may contain credentials. */
    CREDENTIALS;

    private static final Pattern ONE_REFERENCE = Pattern.compile("\\$\\{(file:[^{}]+|" + References.NAME + ")}");

    /** A secret stays a reference; any other value is expanded, with its references as its origin. */
    Shown shown(Expansion value) {
        if (!value.hasReferences()) {
            return shown(value.written());
        }
        // A reference may expand to any text, which may be confidential: even a number is searched for secrets.
        Shown written = this == OURS ? Shown.theirs(value.written()) : shown(value.written());
        String printed = value.printed();
        if (printed.equals(value.written())) {
            return written;
        }
        return switch (this) {
            case OURS, NOTHING -> Shown.theirs(printed).expandedFrom(written);
            case CREDENTIALS -> shown(printed).expandedFrom(written);
            case ALL, JAAS, LOGIN -> written;
        };
    }

    /** @param written the value as it is in the file, with references */
    Shown shown(String written) {
        return switch (this) {
            case OURS -> Shown.ours(written);
            case NOTHING -> Shown.theirs(written);
            case ALL, JAAS, LOGIN -> Shown.ours(ONE_REFERENCE.matcher(written).matches() ? written : Secrets.HIDDEN);
            case CREDENTIALS -> Shown.address(AddressSecrets.hiddenIn(written));
        };
    }

    List<String> secretsIn(String value) {
        return switch (this) {
            case OURS, NOTHING -> List.of();
            case ALL -> List.of(value);
            case JAAS -> JaasSecrets.in(value);
            case LOGIN -> LoginSecrets.in(value);
            case CREDENTIALS -> AddressSecrets.in(value);
        };
    }

    /** For keys that the schema does not know, such as Kafka's. */
    static Hiding ofProperty(String name) {
        if (name.toLowerCase(Locale.ROOT).contains("jaas")) {
            return JAAS;
        }
        if (SecretNames.isLogin(name)) {
            return LOGIN;
        }
        return SecretNames.isSecret(name) ? ALL : NOTHING;
    }
}
