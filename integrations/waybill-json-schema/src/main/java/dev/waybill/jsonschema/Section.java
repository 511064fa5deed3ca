package dev.waybill.jsonschema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An object of a configuration and its path. It collects mistakes, so that all are reported at once. */
record Section(String path, Map<String, ?> values, List<String> problems) {

    Set<String> names() {
        return values.keySet();
    }

    void problem(String what) {
        problems.add((path.isEmpty() ? "the file" : path) + ": " + what);
    }

    void problem(String name, String what) {
        problems.add(at(name) + ": " + what);
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    void allow(String... allowed) {
        List<String> known = List.of(allowed);
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                problem(name, "is not known here; use " + String.join(", ", known));
            }
        }
    }

    Optional<Section> section(String name) {
        Object value = values.get(name);
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new TreeMap<>();
            map.forEach((key, entry) -> copy.put(String.valueOf(key), entry));
            return Optional.of(new Section(at(name), copy, problems));
        }
        if (value != null) {
            problem(name, "must be an object");
        }
        return Optional.empty();
    }

    Optional<String> text(String name) {
        Object value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof String text && !text.isBlank()) {
            return Optional.of(text);
        }
        problem(name, "must be a text that is not blank");
        return Optional.empty();
    }

    Optional<String> requiredText(String name) {
        if (values.get(name) == null) {
            problem(name, "is missing");
        }
        return text(name);
    }

    int number(String name, int otherwise) {
        @Nullable Object value = values.get(name);
        if (value instanceof Integer number) {
            return number;
        }
        if (value != null) {
            problem(name, "must be a whole number");
        }
        return otherwise;
    }
}
