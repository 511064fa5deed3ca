package dev.waybill.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;

/** Any number of the same kind, each under a name of its own. */
record Named<T>(String what, Kind<T> each) implements Kind<Named.All<T>> {
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
    private static final Pattern ALLOWED = Pattern.compile(NAME);

    /**
     * @param names of all that were given
     * @param readable those of them that could be read
     */
    record All<T>(Set<String> names, Map<String, T> readable) {
        static <T> All<T> none() {
            return new All<>(Set.of(), Map.of());
        }
    }

    @Override
    public String words() {
        return what + " by name";
    }

    @Override
    public Optional<Given<All<T>>> read(Node node, Place at) {
        return Entries.of(node, at, words()).map(entries -> {
            Map<String, T> values = new LinkedHashMap<>();
            Map<String, Object> shown = new LinkedHashMap<>();
            entries.forEach((name, value) -> {
                Place place = at.at(name, value);
                if (!ALLOWED.matcher(name).matches()) {
                    place.mistake(
                            "is no name: use 1 to 100 letters, digits, dots, hyphens or underscores, beginning with a"
                                    + " letter or digit");
                }
                each.read(value, place).ifPresent(given -> {
                    values.put(name, given.value());
                    shown.put(name, given.shown());
                });
            });
            return new Given<>(new All<>(entries.keySet(), values), shown);
        });
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("propertyNames", Map.of("pattern", "^" + NAME + "$"));
        schema.put("additionalProperties", each.schema());
        return schema;
    }
}
