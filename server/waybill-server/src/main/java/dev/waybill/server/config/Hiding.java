package dev.waybill.server.config;

import dev.waybill.server.secrets.AddressSecrets;
import dev.waybill.server.secrets.JaasSecrets;
import dev.waybill.server.secrets.LoginSecrets;
import dev.waybill.server.secrets.SecretNames;
import dev.waybill.server.secrets.Secrets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Whether, and how, the value of a key is shown. */
enum Hiding {
    /** A word of ours, a number, or a name that the file gives: shown as it is, also when somebody's password is the same word. */
    OURS {
        @Override
        Shown shown(String written) {
            return Shown.ours(written);
        }

        @Override
        List<String> secretsIn(String value) {
            return List.of();
        }
    },
    /** Somebody's text: shown without what is known to be a secret. */
    NOTHING {
        @Override
        Shown shown(String written) {
            return Shown.theirs(written);
        }

        @Override
        List<String> secretsIn(String value) {
            return List.of();
        }
    },
    /** Only where it comes from is shown. */
    ALL {
        @Override
        Shown shown(String written) {
            return reference(written);
        }

        @Override
        List<String> secretsIn(String value) {
            return List.of(value);
        }
    },
    /** A login as Kafka takes it: the whole is a secret, and so are its parts. */
    JAAS {
        @Override
        Shown shown(String written) {
            return reference(written);
        }

        @Override
        List<String> secretsIn(String value) {
            return JaasSecrets.in(value);
        }
    },
    /** A user with a password, or a header: the whole is a secret, and so are its parts. */
    LOGIN {
        @Override
        Shown shown(String written) {
            return reference(written);
        }

        @Override
        List<String> secretsIn(String value) {
            return LoginSecrets.in(value);
        }
    },
    /** An address that may have credentials in it. */
    CREDENTIALS {
        @Override
        Shown shown(String written) {
            return Shown.address(AddressSecrets.hiddenIn(written));
        }

        @Override
        List<String> secretsIn(String value) {
            return AddressSecrets.in(value);
        }
    };

    private static final Pattern ONE_REFERENCE = Pattern.compile("\\$\\{(file:[^{}]+|[A-Za-z_][A-Za-z0-9_]*)}");

    /** How it may be shown, given as it stands in the file. */
    abstract Shown shown(String written);

    abstract List<String> secretsIn(String value);

    /** For keys that are somebody else's, such as Kafka's. */
    static Hiding ofProperty(String name) {
        if (name.toLowerCase(Locale.ROOT).contains("jaas")) {
            return JAAS;
        }
        if (SecretNames.isLogin(name)) {
            return LOGIN;
        }
        return SecretNames.isSecret(name) ? ALL : NOTHING;
    }

    private static Shown reference(String written) {
        return Shown.ours(ONE_REFERENCE.matcher(written).matches() ? written : Secrets.HIDDEN);
    }
}
