package dev.waybill.server.logs;

import dev.waybill.spi.Printable;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;

/** A value as JSON in one line, for programs; but a terminal may be at the other end, and it would obey what is not escaped. */
public final class JsonLine {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private JsonLine() {}

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
