package dev.waybill.server.config;

import dev.waybill.jsonschema.JsonSchemaCheck;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON Schema of configuration files. It is the only definition of keys, with their types, bounds, defaults and documentation.
 * A {@code title} is how messages describe a value, {@code writeOnly} marks secrets, and the format {@code address} marks values
 * that may contain credentials.
 */
final class ConfigurationSchema {
    private static final String REFERENCE = "#/definitions/reference";

    /** As published, for editors: a value may also be a reference such as ${NAME}. */
    static final String TEXT = resource("waybill.schema.json");

    /** For values whose references are expanded. */
    static final JsonNode ROOT = withoutReferences(JsonMapper.shared().readTree(TEXT));

    static final JsonSchemaCheck CHECK = JsonSchemaCheck.of(ROOT.toString());

    private ConfigurationSchema() {}

    static String resource(String name) {
        try (InputStream file = Objects.requireNonNull(ConfigurationSchema.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be read.", e);
        }
    }

    private static JsonNode withoutReferences(JsonNode node) {
        node.forEach(ConfigurationSchema::withoutReferences);
        if (node instanceof ObjectNode object
                && object.at("/anyOf/0/$ref").asString("").equals(REFERENCE)) {
            object.setAll((ObjectNode) object.remove("anyOf").get(1));
        }
        return node;
    }

    static JsonNode definition(String name) {
        return ROOT.at("/definitions/" + name);
    }

    /** The schema with what it refers to; its own keywords win. */
    static JsonNode resolve(JsonNode schema) {
        if (!schema.has("$ref")) {
            return schema;
        }
        ObjectNode all = (ObjectNode)
                resolve(ROOT.at(schema.get("$ref").asString().substring(1))).deepCopy();
        schema.properties().stream()
                .filter(keyword -> !keyword.getKey().equals("$ref"))
                .forEach(keyword -> all.set(keyword.getKey(), keyword.getValue()));
        return all;
    }

    /** The schema of a key of a section; a missing node if the section does not know the key. */
    static JsonNode property(JsonNode section, String key) {
        JsonNode property = section.path("properties").path(key);
        if (!property.isMissingNode()) {
            return resolve(property);
        }
        JsonNode others = section.path("additionalProperties");
        return others.isObject() ? resolve(others) : MissingNode.getInstance();
    }

    static List<String> keys(JsonNode section) {
        return List.copyOf(section.path("properties").propertyNames());
    }

    static boolean isRequired(JsonNode section, String key) {
        return section.path("required")
                .valueStream()
                .anyMatch(each -> each.asString().equals(key));
    }

    /** Whether the section exists even if the file leaves it out, since no key of it is required. */
    static boolean isOptionalSection(JsonNode schema) {
        return schema.has("properties") && !schema.has("required");
    }

    /** The section for this {@code type}; the schema itself if there is no such type. */
    static JsonNode variant(JsonNode schema, String type) {
        return schema.path("allOf")
                .valueStream()
                .filter(each -> each.at("/if/properties/type/const").asString().equals(type))
                .findFirst()
                .map(each -> resolve(each.get("then")))
                .orElse(schema);
    }

    /** Describes a value for people, as in "must be a duration". */
    static String words(JsonNode schema) {
        if (schema.has("title") && !schema.equals(ROOT)) {
            return schema.get("title").asString();
        }
        if (schema.has("if")) {
            return words(resolve(schema.get("then"))) + ", or " + words(resolve(schema.get("else")));
        }
        if (schema.has("allOf")) {
            return "a section with type: " + words(property(schema, "type"));
        }
        if (schema.has("enum")) {
            List<String> names = schema.get("enum")
                    .valueStream()
                    .<String>map(JsonNode::asString)
                    .toList();
            return (names.size() == 1 ? "" : "one of ") + String.join(", ", names);
        }
        return switch (schema.path("type").asString("")) {
            case "integer" ->
                schema.has("maximum")
                        ? "a whole number from " + schema.get("minimum") + " to " + schema.get("maximum")
                        : "a whole number of " + schema.get("minimum") + " or more";
            case "boolean" -> "true or false";
            case "number" -> "a number";
            default -> "a section with " + String.join(", ", keys(schema));
        };
    }
}
