package dev.waybill.registry;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What is wrong with a payload, and where. Says nothing of the values in it: those may be personal data.
 *
 * @param path to the place in the payload: names of properties and indexes of lists, empty for the payload itself
 * @param problem what is wrong there, such as {@code is missing}
 */
public record Violation(List<Object> path, String problem) {
    private static final int LONGEST_NAME = 40;

    public Violation {
        path = List.copyOf(path);
    }

    /** The payload itself is wrong. */
    public static Violation ofPayload(String problem) {
        return new Violation(List.of(), problem);
    }

    /** A name that reads like one a programmer gave; others are keys of a map, and may be anything. */
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
