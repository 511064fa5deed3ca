package dev.waybill.spring.boot.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects mistakes of a configuration, so that all are reported at once. */
final class Mistakes {
    private final List<String> found = new ArrayList<>();

    void add(String where, String what) {
        found.add(where + ": " + what);
    }

    /**
     * @return empty if it cannot be made; then the mistake is recorded
     */
    <T> Optional<T> made(String where, Supplier<T> making) {
        try {
            return Optional.of(making.get());
        } catch (IllegalArgumentException e) {
            add(where, Objects.requireNonNullElse(e.getMessage(), "it cannot be used"));
            return Optional.empty();
        }
    }

    /** @throws InvalidSetupException if there are mistakes */
    void requireNone() {
        if (!found.isEmpty()) {
            throw new InvalidSetupException(found);
        }
    }
}
