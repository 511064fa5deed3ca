package dev.waybill.registry;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A problem in a payload and its path. Contains no values, which may be personal data.
 *
 * @param path names of properties and indexes of lists; empty for the payload itself
 * @param problem such as {@code is missing}
 */
public record Violation(List<Object> path, String problem) {
    private static final int LONGEST_NAME = 40;

    public Violation {
        path = List.copyOf(path);
    }

    /** A problem of the payload as a whole. */
    public static Violation ofPayload(String problem) {
        return new Violation(List.of(), problem);
    }

    /** Shows only names that look like identifiers; others may be keys of a map and contain personal data. */
    public static String name(String property) {
        boolean plain = !property.isEmpty()
                && property.length() <= LONGEST_NAME
                && !Character.isDigit(property.charAt(0))
                && property.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '$');
        return plain ? property : "(a name of " + property.length() + " characters)";
    }

    /** Such as {@code /items/3/price is missing}. */
    @Override
    public String toString() {
        String place = path.stream()
                .map(step -> "/" + (step instanceof String property ? name(property) : step))
                .collect(Collectors.joining());
        return (place.isEmpty() ? "the payload" : place) + " " + problem;
    }
}
