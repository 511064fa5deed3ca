package dev.waybill.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the name that was probably meant. */
final class Nearest {
    private Nearest() {}

    /** As in: is not known here; did you mean "batch"? */
    static String unknown(String name, Collection<String> known) {
        return "is not known here; "
                + nearest(name, known)
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse(known.isEmpty() ? "there are none" : "use one of " + String.join(", ", known));
    }

    /** The most similar name, if one is similar. */
    static Optional<String> nearest(String name, Collection<String> known) {
        int far = Math.max(2, name.length() / 2);
        return known.stream()
                .filter(each -> distance(name, each) <= far)
                .min(Comparator.comparingInt(each -> distance(name, each)));
    }

    /** The edit distance. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
