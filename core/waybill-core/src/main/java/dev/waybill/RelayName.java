package dev.waybill;

import java.util.regex.Pattern;

/** The name of a relay, as in configuration, tables, metrics and logs. */
public record RelayName(String value) {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public RelayName {
        if (!isAllowed(value)) {
            throw new IllegalArgumentException("\"" + value
                    + "\" cannot be a relay's name: use 1 to 100 letters, digits, dots, hyphens or underscores, beginning"
                    + " with a letter or digit.");
        }
    }

    /** Whether a relay can have this name. */
    public static boolean isAllowed(String value) {
        return ALLOWED.matcher(value).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
