package dev.waybill.server.config;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A value of the file with its references expanded.
 *
 * @param written as it is in the file
 */
record Expansion(String written, List<Part> parts) {
    /**
     * A reference, or the text between two of them.
     *
     * @param value its text
     * @param printed the text, or the reference if it refers to a secret
     * @param source where the text comes from; empty if it is in the file
     */
    record Part(String value, String printed, Optional<String> source) {
        static Part literal(String text) {
            return new Part(text, text, Optional.empty());
        }
    }

    String text() {
        return joined(Part::value);
    }

    /** The text, in which references to secrets are not expanded. */
    String printed() {
        return joined(Part::printed);
    }

    boolean hasReferences() {
        return parts.stream().anyMatch(part -> part.source().isPresent());
    }

    /** Names variables and files, never their contents. */
    String sources() {
        return parts.stream().flatMap(part -> part.source().stream()).distinct().collect(Collectors.joining(" and "));
    }

    /** What the file adds to its references, such as a unit. */
    String added() {
        return parts.stream()
                .filter(part -> part.source().isEmpty())
                .map(Part::value)
                .collect(Collectors.joining());
    }

    private String joined(Function<Part, String> what) {
        return parts.stream().map(what).collect(Collectors.joining());
    }
}
