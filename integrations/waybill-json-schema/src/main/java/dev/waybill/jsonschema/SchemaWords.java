package dev.waybill.jsonschema;

import com.networknt.schema.Error;
import tools.jackson.databind.JsonNode;

/** Describes violations. It quotes the schema and never the payload, as the validator's own messages do. */
final class SchemaWords {
    private static final int LONGEST = 200;

    private SchemaWords() {}

    /** Whether the error is about one property of its location. */
    static boolean isAboutProperty(Error error) {
        return error.getProperty() != null;
    }

    static String problem(Error error) {
        String keyword = error.getKeyword();
        if (keyword == null) {
            return "is not allowed";
        }
        return switch (keyword) {
            case "required" -> "is missing";
            case "additionalProperties", "unevaluatedProperties", "propertyNames" -> "is not allowed";
            case "type" -> "is not of type " + wanted(error);
            case "enum" -> "is not one of " + wanted(error);
            case "const" -> "is not " + wanted(error);
            case "format" -> "does not have the format " + wanted(error);
            case "pattern" -> "does not match the pattern " + wanted(error);
            default -> "breaks the rule " + keyword + scalar(error);
        };
    }

    private static String scalar(Error error) {
        JsonNode value = error.getSchemaNode();
        return value != null && value.isValueNode() ? " " + wanted(error) : "";
    }

    private static String wanted(Error error) {
        JsonNode value = error.getSchemaNode();
        String text = value == null ? "the schema" : value.toString();
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
