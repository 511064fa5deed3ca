package dev.waybill.route;

import java.util.Collection;
import java.util.stream.Collectors;

/** Lists of known names for error messages, limited in number and length. */
public final class KnownNames {
    private static final int MOST = 20;
    private static final int LONGEST = 100;

    private KnownNames() {}

    /** In alphabetical order. */
    public static String list(Collection<String> names) {
        String first =
                names.stream().sorted().limit(MOST).map(KnownNames::shortened).collect(Collectors.joining(", "));
        return names.size() <= MOST ? first : first + " and " + (names.size() - MOST) + " more";
    }

    public static String shortened(String name) {
        int end = name.offsetByCodePoints(0, Math.min(LONGEST, name.codePointCount(0, name.length())));
        return end == name.length() ? name : name.substring(0, end) + "…";
    }
}
