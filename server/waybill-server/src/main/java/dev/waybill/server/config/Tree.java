package dev.waybill.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A mapping whose keys somebody else knows: it is handed on as maps, lists, texts, numbers and flags. */
record Tree(String words) implements Kind<Map<String, Object>> {
    /** YAML can nest without end, even in itself. */
    private static final int DEEPEST = 20;

    @Override
    public Optional<Given<Map<String, Object>>> read(Node node, Place at) {
        return mapping(node, at, DEEPEST).map(tree -> new Given<>(tree, tree));
    }

    private Optional<Map<String, Object>> mapping(Node node, Place at, int depth) {
        return Entries.of(node, at, words).map(entries -> {
            Map<String, Object> values = new LinkedHashMap<>();
            entries.forEach((name, value) ->
                    value(value, at.at(name, value), depth - 1).ifPresent(read -> values.put(name, read)));
            return values;
        });
    }

    private Optional<Object> value(Node node, Place at, int depth) {
        if (depth == 0) {
            at.mistake("is nested too deeply");
            return Optional.empty();
        }
        if (node instanceof ScalarNode scalar) {
            return at.expand(scalar.getValue()).flatMap(text -> scalar(text, scalar.getTag(), at));
        }
        if (node instanceof SequenceNode sequence) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < sequence.getValue().size(); i++) {
                Node item = sequence.getValue().get(i);
                value(item, at.item(i, item), depth - 1).ifPresent(values::add);
            }
            return Optional.of(values);
        }
        return mapping(node, at, depth).map(values -> values);
    }

    private static Optional<Object> scalar(String text, Tag tag, Place at) {
        if (tag.equals(Tag.NULL)) {
            at.mistake("has no value");
            return Optional.empty();
        }
        if (tag.equals(Tag.BOOL)) {
            return Optional.of(Boolean.valueOf(text));
        }
        if (tag.equals(Tag.INT)) {
            return Scalars.number(Integer.MIN_VALUE, Integer.MAX_VALUE)
                    .reader()
                    .read(text)
                    .map(number -> (Object) Math.toIntExact(number));
        }
        return Optional.of(text);
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "object");
    }
}
