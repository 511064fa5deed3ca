package dev.waybill.server.logs;

import dev.waybill.server.secrets.Secrets;
import dev.waybill.spi.Printable;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Writes a value as JSON in one line. Control characters are escaped, since a terminal would interpret them. */
public final class JsonLine {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private JsonLine() {}

    /** Hides secrets in strings. Names, numbers and booleans stay: replacing them would break the JSON. */
    public static String of(Object value, Secrets secrets) {
        return of(without(secrets, MAPPER.valueToTree(value)));
    }

    private static JsonNode without(Secrets secrets, JsonNode value) {
        if (value.isString()) {
            return StringNode.valueOf(secrets.hide(value.asString()));
        }
        if (value instanceof ArrayNode array) {
            ArrayNode hidden = MAPPER.createArrayNode();
            array.forEach(element -> hidden.add(without(secrets, element)));
            return hidden;
        }
        if (value instanceof ObjectNode object) {
            ObjectNode hidden = MAPPER.createObjectNode();
            object.properties().forEach(member -> hidden.set(member.getKey(), without(secrets, member.getValue())));
            return hidden;
        }
        return value;
    }

    public static String of(Object value) {
        String json = MAPPER.writeValueAsString(value);
        StringBuilder line = new StringBuilder(json.length());
        json.codePoints().forEach(character -> {
            String text = Character.toString(character);
            if (Printable.isObeyed(character)) {
                text.chars().forEach(unit -> line.append(String.format(Locale.ROOT, "\\u%04x", unit)));
            } else {
                line.append(text);
            }
        });
        return line.toString();
    }
}
