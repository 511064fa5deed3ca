package dev.waybill.server.config;

import dev.waybill.registry.Violation;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Reads YAML as JSON: references are expanded, texts get the type that the schema gives them, and defaults are filled in. Then the
 * JSON Schema is checked, and each violation becomes a message with the line and path of the file.
 */
final class SchemaReader {
    /** Bounds, since YAML can contain itself, several times at each level. */
    private static final int DEEPEST = 20;

    private static final int MOST_VALUES = 20_000;

    private static final int LONGEST_QUOTE = 60;
    private static final String NO_NAME =
            "is not a valid name: use 1 to 100 letters, digits, dots, hyphens or underscores, beginning with a letter or digit";
    private static final String TYPE = "type";
    private static final String COUNT_OR_WORD = "count-or-word";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Map<String, Spot> spots = new HashMap<>();
    private final Map<String, Shown> shown = new HashMap<>();
    private final Set<String> reported = new HashSet<>();
    private final Set<String> defaulted = new HashSet<>();
    private int depth;
    private int values;

    /**
     * A value of the file.
     *
     * @param schema a missing node if the key is unknown or free
     * @param quote the value, if messages may repeat it
     */
    private record Spot(Place at, JsonNode schema, Optional<String> quote) {}

    /**
     * @param shown what may be shown of it: maps and lists of {@link Shown}
     */
    record Result(Section section, Object shown) {}

    private SchemaReader() {}

    /** Reports all mistakes to the place. */
    static Optional<Result> read(Node node, JsonNode schema, Place at) {
        SchemaReader reader = new SchemaReader();
        JsonNode values = reader.value(node, schema, at);
        if (schema.equals(ConfigurationSchema.ROOT)) {
            reader.check(values);
            if (values instanceof ObjectNode file) {
                StoreDefaults.fillIn(new Section(file, at), reader.new SchemaDefaults());
            }
        }
        return values instanceof ObjectNode section
                ? Optional.of(new Result(new Section(section, at), reader.shown(section, at.path())))
                : Optional.empty();
    }

    /** @return null in JSON if it is wrong */
    private JsonNode value(Node node, JsonNode declared, Place at) {
        if (++values > MOST_VALUES) {
            return values == MOST_VALUES + 1
                    ? wrong(at, "is one value too many: a file may have " + MOST_VALUES + ", repeated ones included")
                    : NullNode.getInstance();
        }
        JsonNode schema = declared.has("if")
                ? ConfigurationSchema.resolve(declared.get(node instanceof ScalarNode ? "then" : "else"))
                : declared;
        spots.put(at.path(), new Spot(at, schema, Optional.empty()));
        if (node instanceof ScalarNode scalar) {
            return scalar(scalar, schema, at);
        }
        if (depth == DEEPEST) {
            return wrong(at, "is nested too deeply");
        }
        depth++;
        try {
            return node instanceof MappingNode mapping
                    ? section(Entries.of(mapping, at), schema, at)
                    : list((SequenceNode) node, schema, at);
        } finally {
            depth--;
        }
    }

    private ArrayNode list(SequenceNode node, JsonNode schema, Place at) {
        ArrayNode values = JSON.arrayNode();
        JsonNode items = ConfigurationSchema.resolve(schema.path("items"));
        for (int i = 0; i < node.getValue().size(); i++) {
            Node item = node.getValue().get(i);
            values.add(value(item, items, at.item(i, item)));
        }
        return values;
    }

    /** Its keys in the order of the schema, then those that the schema does not name. */
    private ObjectNode section(Map<String, Node> entries, JsonNode declared, Place at) {
        ObjectNode values = JSON.objectNode();
        JsonNode schema = declared;
        boolean typed = declared.has("allOf");
        if (typed) {
            key(TYPE, entries, declared, at, values);
            schema = ConfigurationSchema.variant(declared, values.path(TYPE).asString(""));
            spots.put(at.path(), new Spot(at, schema, Optional.empty()));
        }
        Set<String> keys = new LinkedHashSet<>(ConfigurationSchema.keys(schema));
        keys.addAll(entries.keySet());
        for (String key : keys) {
            if (!(typed && key.equals(TYPE))) {
                key(key, entries, schema, at, values);
            }
        }
        return values;
    }

    private void key(String name, Map<String, Node> entries, JsonNode section, Place at, ObjectNode values) {
        Node node = entries.get(name);
        JsonNode schema = ConfigurationSchema.property(section, name);
        if (node != null) {
            values.set(name, value(node, schema, at.at(name, node)));
        } else if (schema.has("default")) {
            Place here = at.missing(name);
            values.set(name, schema.get("default"));
            defaulted.add(here.path());
            shown.put(
                    here.path(),
                    hiding(schema, name).shown(schema.get("default").asString()).from("default"));
        } else if (ConfigurationSchema.isOptionalSection(schema)) {
            ObjectNode inner = section(Map.of(), schema, at.missing(name));
            if (!inner.isEmpty()) {
                values.set(name, inner);
            }
        }
    }

    private JsonNode scalar(ScalarNode node, JsonNode schema, Place at) {
        if (node.getTag().equals(Tag.NULL)) {
            return wrong(
                    at,
                    "has no value"
                            + (schema.isMissingNode() ? "" : ": it must be " + ConfigurationSchema.words(schema)));
        }
        String written = node.getValue();
        Optional<Expansion> expanded = at.expand(written);
        if (expanded.isEmpty()) {
            reported.add(at.path());
            return NullNode.getInstance();
        }
        Expansion expansion = expanded.get();
        String text = expansion.text();
        Hiding hiding = hiding(schema, at.name());
        at.findings().secrets().addAll(hiding.secretsIn(text));
        shown.put(at.path(), hiding.shown(expansion));
        boolean quotable = (hiding == Hiding.NOTHING || hiding == Hiding.OURS) && !isStructure(schema);
        if (expansion.hasReferences()) {
            String added = quotable ? expansion.added() : "";
            at.comesFrom(
                    expansion.sources() + (added.isBlank() ? "" : " with \"" + shortened(added) + "\" added to it"),
                    written);
        }
        Spot spot =
                new Spot(at, schema, quotable && !expansion.hasReferences() ? Optional.of(written) : Optional.empty());
        spots.put(at.path(), spot);
        if (schema.path("format").asString("").equals("zone") && !isZone(text)) {
            return wrong(at, mustBe(spot));
        }
        return typed(text, schema, node.getTag());
    }

    private static boolean isCountOrWord(JsonNode schema) {
        return schema.path("format").asString("").equals(COUNT_OR_WORD);
    }

    private static boolean isStructure(JsonNode schema) {
        return Set.of("object", "array").contains(schema.path(TYPE).asString(""));
    }

    private static boolean isZone(String text) {
        try {
            ZoneId.of(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** What cannot have its type stays a text, which the schema then refuses. */
    private static JsonNode typed(String text, JsonNode schema, Tag tag) {
        String type = schema.isMissingNode()
                ? tag.equals(Tag.INT) ? "integer" : tag.equals(Tag.BOOL) ? "boolean" : ""
                : isCountOrWord(schema) ? COUNT_OR_WORD : schema.path(TYPE).asString("");
        try {
            return switch (type) {
                case "integer", COUNT_OR_WORD -> LongNode.valueOf(Long.parseLong(text));
                case "number" -> DoubleNode.valueOf(Double.parseDouble(text));
                case "boolean" ->
                    Set.of("true", "false").contains(text)
                            ? BooleanNode.valueOf(Boolean.parseBoolean(text))
                            : StringNode.valueOf(text);
                default -> StringNode.valueOf(text);
            };
        } catch (NumberFormatException e) {
            return StringNode.valueOf(text);
        }
    }

    /** Numbers, words of the schema and names in the file are shown as they are; texts may contain known secrets. */
    private static Hiding hiding(JsonNode schema, String name) {
        if (schema.isMissingNode() || (schema.path(TYPE).isArray() && !isCountOrWord(schema))) {
            return Hiding.ofProperty(name); // a key of another system, such as Kafka
        }
        if (schema.path("writeOnly").asBoolean(false)) {
            return Hiding.ALL;
        }
        String format = schema.path("format").asString("");
        if (format.equals("address")) {
            return Hiding.CREDENTIALS;
        }
        boolean anyText = schema.path(TYPE).asString("").equals("string") && format.isEmpty();
        return anyText ? Hiding.NOTHING : Hiding.OURS;
    }

    private JsonNode wrong(Place at, String what) {
        at.mistake(what);
        reported.add(at.path());
        return NullNode.getInstance();
    }

    private void check(JsonNode values) {
        for (Violation violation : ConfigurationSchema.CHECK.violations(values)) {
            String path = path(violation.path());
            if (reported.add(path)) {
                report(violation, path);
            }
        }
    }

    private void report(Violation violation, String path) {
        Spot spot = spots.get(path);
        if (spot != null && !spot.schema().isMissingNode()) {
            // A name of the file's own, such as a relay's, is not allowed; every other violation is about the value.
            spot.at().mistake(violation.problem().equals("is not allowed") ? NO_NAME : mustBe(spot));
            return;
        }
        List<Object> outer = violation.path().subList(0, violation.path().size() - 1);
        Spot section = spots.get(path(outer));
        if (section == null) {
            return; // inside a section that was reported itself
        }
        if (spot == null) {
            String name = String.valueOf(violation.path().get(outer.size()));
            section.at()
                    .mistake(
                            name,
                            "is missing: give "
                                    + ConfigurationSchema.words(ConfigurationSchema.property(section.schema(), name)));
        } else {
            spot.at().mistake(Nearest.unknown(spot.at().name(), ConfigurationSchema.keys(section.schema())));
        }
    }

    private static String mustBe(Spot spot) {
        String value = spot.quote()
                .map(text -> "is \"" + shortened(text) + "\"")
                .or(() -> spot.at().source().map(source -> "comes from " + source))
                .map(words -> words + " and ")
                .orElse("");
        return value + "must be " + ConfigurationSchema.words(spot.schema());
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
    }

    private static String path(List<Object> steps) {
        StringBuilder path = new StringBuilder();
        for (Object step : steps) {
            if (step instanceof Number) {
                path.append('[').append(step).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step);
            }
        }
        return path.toString();
    }

    private Object shown(JsonNode value, String path) {
        if (value instanceof ObjectNode section) {
            Map<String, Object> all = new LinkedHashMap<>();
            section.properties().forEach(key -> all.put(key.getKey(), shown(key.getValue(), path(path, key.getKey()))));
            return all;
        }
        if (value instanceof ArrayNode list) {
            List<Object> all = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                all.add(shown(list.get(i), path + "[" + i + "]"));
            }
            return all;
        }
        return shown.getOrDefault(path, Shown.ours(""));
    }

    /** Which values are defaults of the schema. */
    private final class SchemaDefaults implements StoreDefaults.Defaults {
        @Override
        public boolean isDefault(String path) {
            return defaulted.contains(path);
        }

        /** A value of the file stays. */
        @Override
        public void replace(ObjectNode section, String path, StoreDefaults.Value value) {
            if (isDefault(path)) {
                section.set(path.substring(path.lastIndexOf('.') + 1), value.json());
                shown.put(path, Shown.ours(value.json().asString()).from(value.origin()));
            }
        }
    }

    private static String path(String outer, String name) {
        return outer.isEmpty() ? name : outer + "." + name;
    }
}
