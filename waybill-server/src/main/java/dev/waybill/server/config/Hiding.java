package dev.waybill.server.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether, and how, the value of a key is shown. */
enum Hiding {
    /** As it is written. */
    NOTHING {
        @Override
        String shown(String written) {
            return written;
        }

        @Override
        List<String> secretsIn(String value) {
            return List.of();
        }
    },
    /** Only where it comes from is shown. */
    ALL {
        @Override
        String shown(String written) {
            return ONE_REFERENCE.matcher(written).matches() ? written : HIDDEN;
        }

        @Override
        List<String> secretsIn(String value) {
            return List.of(value);
        }
    },
    /** An address that may have credentials in it. */
    CREDENTIALS {
        @Override
        String shown(String written) {
            String withoutUser = USER_INFO.matcher(written).replaceAll("//" + HIDDEN + "@");
            return PARAMETER.matcher(withoutUser).replaceAll("$1" + HIDDEN);
        }

        @Override
        List<String> secretsIn(String value) {
            List<String> secrets = new ArrayList<>();
            Matcher user = USER_INFO.matcher(value);
            while (user.find()) {
                secrets.add(user.group(1).substring(user.group(1).indexOf(':') + 1));
            }
            Matcher parameter = PARAMETER.matcher(value);
            while (parameter.find()) {
                secrets.add(parameter.group(2));
            }
            return secrets;
        }
    };

    static final String HIDDEN = "[hidden]";

    private static final Pattern ONE_REFERENCE = Pattern.compile("\\$\\{(file:[^{}]+|[A-Za-z_][A-Za-z0-9_]*)}");
    private static final Pattern USER_INFO = Pattern.compile("//([^/@\\s]*:[^/\\s]*)@");
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([?&;][^=&;]*(?:password|secret|token|credential)[^=&;]*=)([^&;]*)");
    private static final Pattern SECRET_NAME = Pattern.compile("(?i).*(password|jaas|secret|key|token|credential).*");

    /** How it may be shown, given as it stands in the file. */
    abstract String shown(String written);

    abstract List<String> secretsIn(String value);

    /** For keys that are somebody else's, such as Kafka's. */
    static Hiding ofProperty(String name) {
        return SECRET_NAME.matcher(name).matches() ? ALL : NOTHING;
    }

    /** The text without these secrets. */
    static String hide(String text, Collection<String> secrets) {
        String safe = text;
        for (String secret : secrets) {
            safe = safe.replace(secret, HIDDEN);
        }
        return safe;
    }
}
