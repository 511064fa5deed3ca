package dev.waybill.server.config;

import java.util.Optional;

/**
 * One key of the file: the only place that says what it is called, what may stand behind it, and what holds without it.
 *
 * @param standard what holds when it is not given, as one would write it
 * @param doc for the reference page and editors
 */
record Key<T>(String name, Kind<T> kind, boolean required, Optional<String> standard, String doc) {

    static <T> Key<T> required(String name, Kind<T> kind, String doc) {
        return new Key<>(name, kind, true, Optional.empty(), doc);
    }

    static <T> Key<T> optional(String name, Kind<T> kind, String doc) {
        return new Key<>(name, kind, false, Optional.empty(), doc);
    }

    static <T> Key<T> standard(String name, Scalar<T> kind, Object standard, String doc) {
        return new Key<>(name, kind, false, Optional.of(standard.toString()), doc);
    }

    /** Whether it is there even when the file leaves it out: a block whose keys all have defaults. */
    boolean isAlwaysThere() {
        return !required && kind instanceof Block block && block.standsWithoutKeys();
    }
}
