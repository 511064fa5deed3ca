package dev.waybill.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** A block whose key {@code type} says which keys it has. */
record Variants(Map<String, Block> byType) implements Kind<Section> {
    static final String TYPE = "type";

    @Override
    public String words() {
        return "a section with type: " + typeKind().words();
    }

    private Scalar<String> typeKind() {
        return Scalars.choice(List.copyOf(byType.keySet()));
    }

    @Override
    public Optional<Given<Section>> read(Node node, Place at) {
        Optional<Map<String, Node>> entries = Entries.of(node, at, words());
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        Node type = entries.get().get(TYPE);
        if (type == null) {
            at.mistake(TYPE, "is missing: give " + typeKind().words());
            return Optional.empty();
        }
        return typeKind().read(type, at.at(TYPE, type)).map(given -> {
            Map<String, Node> others = new LinkedHashMap<>(entries.get());
            others.remove(TYPE);
            Given<Section> read = block(given.value()).read(others, at);
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put(TYPE, given.shown());
            ((Map<?, ?>) read.shown()).forEach((name, value) -> shown.put(String.valueOf(name), value));
            return new Given<>(read.value(), shown);
        });
    }

    private Block block(String type) {
        return Optional.ofNullable(byType.get(type)).orElseThrow();
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of(
                "oneOf",
                byType.entrySet().stream()
                        .map(variant -> variant.getValue()
                                .after(Key.required(
                                        TYPE, Scalars.choice(List.of(variant.getKey())), "What kind it is."))
                                .schema())
                        .toList());
    }
}
