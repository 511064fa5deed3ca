package dev.waybill.spring.boot.properties;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Names that differ only in dashes, underscores and case are one name to Spring. An environment variable has none of them, so
 * {@code WAYBILL_RELAYS_ORDERSTOKAFKA_BATCH} sets the batch of the relay {@code orders-to-kafka}, and also makes a complete copy
 * of it named {@code orderstokafka}, which would publish everything a second time. The copy is left out.
 */
public final class OneName {
    private OneName() {}

    /** Without copies that environment variables made. */
    public static <V> Map<String, V> withoutCopies(Map<String, V> byName) {
        Map<String, V> kept = new LinkedHashMap<>();
        byName.forEach((name, value) -> {
            if (!isCopy(name, byName.keySet())) {
                kept.put(name, value);
            }
        });
        return kept;
    }

    private static boolean isCopy(String name, Collection<String> names) {
        return name.equals(inVariables(name))
                && names.stream()
                        .anyMatch(other ->
                                !other.equals(name) && inVariables(other).equals(name));
    }

    /** The name as an environment variable expresses it. */
    public static String inVariables(String name) {
        return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
