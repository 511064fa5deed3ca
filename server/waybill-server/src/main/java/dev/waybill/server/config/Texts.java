package dev.waybill.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** Texts by names that are the user's to choose. Those whose name sounds like a secret are not shown. */
record Texts(String words) implements Kind<Map<String, String>> {

    @Override
    public Optional<Given<Map<String, String>>> read(Node node, Place at) {
        return Entries.of(node, at, words).map(entries -> {
            Map<String, String> values = new LinkedHashMap<>();
            Map<String, Object> shown = new LinkedHashMap<>();
            entries.forEach((name, value) -> Scalars.ANY_TEXT
                    .hiding(Hiding.ofProperty(name))
                    .read(value, at.at(name, value))
                    .ifPresent(given -> {
                        values.put(name, given.value());
                        shown.put(name, given.shown());
                    }));
            return new Given<>(values, shown);
        });
    }

    @Override
    public Map<String, Object> schema() {
        return Scalars.schema("object", "additionalProperties", Map.of("type", List.of("string", "number", "boolean")));
    }
}
