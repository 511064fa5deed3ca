package dev.waybill.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** A mapping with these keys and no others. */
record Block(List<Key<?>> keys) implements Kind<Section> {

    static Block of(Key<?>... keys) {
        return new Block(List.of(keys));
    }

    /** With these keys first. */
    Block after(Key<?>... first) {
        List<Key<?>> all = new ArrayList<>(List.of(first));
        all.addAll(keys);
        return new Block(all);
    }

    boolean standsWithoutKeys() {
        return keys.stream().noneMatch(Key::required);
    }

    private List<String> names() {
        return keys.stream().<String>map(Key::name).toList();
    }

    @Override
    public String words() {
        return "a section with " + String.join(", ", names());
    }

    @Override
    public Optional<Given<Section>> read(Node node, Place at) {
        return Entries.of(node, at, words()).map(entries -> read(entries, at));
    }

    Given<Section> read(Map<String, Node> entries, Place at) {
        int before = at.findings().count();
        List<String> known = names();
        entries.forEach((name, value) -> {
            if (!known.contains(name)) {
                at.at(name, value).mistake(Nearest.unknown(name, known));
            }
        });
        Map<Key<?>, Object> values = new LinkedHashMap<>();
        Map<String, Object> shown = new LinkedHashMap<>();
        for (Key<?> key : keys) {
            read(key, Optional.ofNullable(entries.get(key.name())), at).ifPresent(given -> {
                values.put(key, given.value());
                if (entries.containsKey(key.name()) || !given.shown().equals(Map.of())) {
                    shown.put(key.name(), given.shown());
                }
            });
        }
        return new Given<>(new Section(this, at, values, at.findings().count() == before), shown);
    }

    private static <T> Optional<? extends Given<?>> read(Key<T> key, Optional<Node> node, Place at) {
        if (node.isPresent()) {
            return key.kind().read(node.get(), at.at(key.name(), node.get()));
        }
        if (key.required()) {
            at.mistake(key.name(), "is missing: give " + key.kind().words());
            return Optional.empty();
        }
        Place here =
                new Place(at.path().isEmpty() ? key.name() : at.path() + "." + key.name(), at.line(), at.findings());
        if (key.isAlwaysThere()) {
            return Optional.of(((Block) key.kind()).read(Map.of(), here));
        }
        return key.standard().flatMap(standard -> ((Scalar<T>) key.kind()).read(standard, here));
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Key<?> key : keys) {
            Map<String, Object> property = new LinkedHashMap<>();
            property.put(
                    "description",
                    key.doc()
                            + key.standard()
                                    .map(text -> " Default: " + text + ".")
                                    .orElse(""));
            property.putAll(key.kind().schema());
            properties.put(key.name(), property);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("additionalProperties", false);
        List<String> required =
                keys.stream().filter(Key::required).<String>map(Key::name).toList();
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("properties", properties);
        return schema;
    }
}
