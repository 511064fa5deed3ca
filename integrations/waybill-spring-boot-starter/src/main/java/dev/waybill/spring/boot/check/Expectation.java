package dev.waybill.spring.boot.check;

import dev.waybill.spring.boot.properties.RetryCount;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.util.ClassUtils;

/** What kind of value a key takes, for messages. Values are not repeated: they may be misplaced secrets. */
final class Expectation {
    private static final Map<Class<?>, String> KINDS = Map.of(
            Boolean.class, "true or false",
            Integer.class, "a whole number",
            Long.class, "a whole number",
            Double.class, "a number",
            Duration.class, "a duration, such as 50ms, 5s, 10m, 12h or 30d",
            Instant.class, "a time, such as 2026-11-15T08:30:00Z",
            ZoneId.class, "a time zone, such as UTC or Europe/Rome",
            RetryCount.class, "a whole number, or unlimited");

    private Expectation() {}

    static String of(Bindable<?> target) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(target.getType().resolve(Object.class));
        if (type.isEnum()) {
            return "use one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(value -> written((Enum<?>) value))
                            .collect(Collectors.joining(", "));
        }
        if (Map.class.isAssignableFrom(type) || (type.isRecord() && !KINDS.containsKey(type))) {
            return "it is a section with keys of its own, not a value";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "use a list";
        }
        return "use " + KINDS.getOrDefault(type, "a text");
    }

    static String written(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
