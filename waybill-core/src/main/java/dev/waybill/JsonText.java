package dev.waybill;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** The one place of this package where JSON is read or written. */
final class JsonText {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private JsonText() {}

    static void requireOneValue(byte[] utf8) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
        } catch (CharacterCodingException e) {
            throw notJson(utf8, "it is not valid UTF-8", e);
        }
        try (JsonParser parser = MAPPER.createParser(utf8)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw notJson(utf8, "it is empty", null);
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw notJson(
                        utf8,
                        "a second value follows the first at byte "
                                + parser.currentTokenLocation().getByteOffset(),
                        null);
            }
        } catch (JacksonException e) {
            throw notJson(utf8, "the parser stopped at byte " + e.getLocation().getByteOffset(), e);
        }
    }

    static byte[] write(Object domainObject) {
        try {
            return MAPPER.writeValueAsBytes(domainObject);
        } catch (JacksonException e) {
            throw new InvalidEventException(
                    "Jackson cannot write " + domainObject.getClass().getName() + " as JSON ("
                            + e.getClass().getSimpleName()
                            + "): give it accessible properties, or write the JSON yourself and use Payload.json.",
                    e);
        }
    }

    private static InvalidEventException notJson(
            byte[] utf8, String why, @org.jspecify.annotations.Nullable Exception cause) {
        String message = "The payload (" + utf8.length + " bytes) is not JSON: " + why
                + ". Send one JSON value in UTF-8, or declare the bytes with Payload.binary.";
        return cause == null ? new InvalidEventException(message) : new InvalidEventException(message, cause);
    }
}
