package dev.waybill.server.config;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The kinds of single values there are. */
final class Scalars {
    /** In schemas a value may always be a reference too. */
    private static final String REFERENCE = "\\$\\{.+\\}";

    static final Scalar<String> TEXT = new Scalar<>(
            "a text that is not blank", schema("string", "minLength", 1), Hiding.NOTHING, Scalars::notBlank);

    static final Scalar<String> ANY_TEXT =
            new Scalar<>("a text", Map.of("type", "string"), Hiding.NOTHING, Optional::of);

    static final Scalar<String> SECRET = TEXT.hiding(Hiding.ALL).called("a text; best ${NAME} or ${file:PATH}");

    /** Of something else in the file. */
    static final Scalar<String> NAME = TEXT.hiding(Hiding.OURS);

    static final Scalar<Path> FILE = new Scalar<>(
            "the name of a file",
            schema("string", "minLength", 1),
            Hiding.NOTHING,
            text -> notBlank(text).map(Path::of));

    static final Scalar<Duration> DURATION = new Scalar<>(
            "a duration, such as 50ms, 5s, 10m, 12h or 30d",
            schema("string", "pattern", "^(" + Durations.PATTERN + "|" + REFERENCE + ")$"),
            Hiding.OURS,
            Durations::parse);

    static final Scalar<Instant> INSTANT = new Scalar<>(
            "a time, such as 2026-11-15T08:30:00Z",
            schema("string", "minLength", 1),
            Hiding.OURS,
            text -> tried(() -> Instant.parse(text)));

    static final Scalar<ZoneId> ZONE = new Scalar<>(
            "a time zone, such as UTC or Europe/Rome",
            schema("string", "minLength", 1),
            Hiding.OURS,
            text -> tried(() -> ZoneId.of(text)));

    static final Scalar<Boolean> FLAG = new Scalar<>(
            "true or false",
            orReference(Map.of("type", "boolean")),
            Hiding.OURS,
            text -> List.of("true", "false").contains(text) ? Optional.of(Boolean.valueOf(text)) : Optional.empty());

    static final Scalar<Double> DECIMAL = new Scalar<>(
            "a number", orReference(Map.of("type", "number")), Hiding.OURS, text -> tried(() -> Double.valueOf(text)));

    private Scalars() {}

    static Scalar<Long> number(long least, long most) {
        Map<String, Object> schema = schema("integer", "minimum", least);
        String words = "a whole number of " + least + " or more";
        if (most != Long.MAX_VALUE) {
            schema.put("maximum", most);
            words = "a whole number from " + least + " to " + most;
        }
        return new Scalar<>(
                words,
                orReference(schema),
                Hiding.OURS,
                text -> tried(() -> Long.valueOf(text)).filter(number -> number >= least && number <= most));
    }

    static Scalar<Long> count() {
        return number(1, Integer.MAX_VALUE);
    }

    static Scalar<Long> bytes() {
        return number(1, Long.MAX_VALUE);
    }

    /** One of an enum's values, written in small letters with hyphens. */
    static <E extends Enum<E>> Scalar<E> choice(Class<E> type) {
        List<String> names =
                Arrays.stream(type.getEnumConstants()).map(Scalars::written).toList();
        return new Scalar<>(
                oneOf(names),
                choiceSchema(names),
                Hiding.OURS,
                text -> Arrays.stream(type.getEnumConstants())
                        .filter(value -> written(value).equals(text))
                        .findFirst());
    }

    static Scalar<String> choice(List<String> names) {
        return new Scalar<>(
                oneOf(names),
                choiceSchema(names),
                Hiding.OURS,
                text -> names.contains(text) ? Optional.of(text) : Optional.empty());
    }

    static String written(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String oneOf(List<String> names) {
        return (names.size() == 1 ? "" : "one of ") + String.join(", ", names);
    }

    private static Map<String, Object> choiceSchema(List<String> names) {
        return orReference(Map.of("enum", names));
    }

    private static Map<String, Object> orReference(Map<String, Object> schema) {
        Map<String, Object> reference = schema("string", "pattern", "^" + REFERENCE + "$");
        return Map.of("anyOf", List.of(schema, reference));
    }

    static Map<String, Object> schema(String type, String rule, Object value) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", type);
        schema.put(rule, value);
        return schema;
    }

    private static Optional<String> notBlank(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(text);
    }

    private interface Parsing<T> {
        T parse();
    }

    private static <T> Optional<T> tried(Parsing<T> parsing) {
        try {
            return Optional.of(parsing.parse());
        } catch (NumberFormatException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
