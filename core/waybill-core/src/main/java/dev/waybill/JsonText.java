package dev.waybill;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes JSON for this package. */
final class JsonText {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private JsonText() {}

    /** Unlike {@code String.getBytes}, refuses characters that UTF-8 cannot encode instead of replacing them. */
    static byte[] encode(String json) {
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(json));
            byte[] bytes = new byte[utf8.remaining()];
            utf8.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw notJson(json.length() + " characters", "it has an unpaired surrogate, which UTF-8 cannot encode");
        }
    }

    static void requireOneValue(byte[] utf8) {
        String size = utf8.length + " bytes";
        CharBuffer text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
        } catch (CharacterCodingException e) {
            throw notJson(size, "it is not valid UTF-8");
        }
        // Parse characters: for bytes, Jackson detects the encoding and accepts UTF-16 and byte order marks.
        try (JsonParser parser = MAPPER.createParser(text.array(), text.arrayOffset(), text.length())) {
            if (parser.nextToken() == null) {
                throw notJson(size, "it is empty");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw notJson(
                        size,
                        "a second value follows the first at character "
                                + parser.currentTokenLocation().getCharOffset());
            }
        } catch (JacksonException e) {
            throw notJson(size, whereItStopped(e.getLocation()));
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

    private static String whereItStopped(@Nullable TokenStreamLocation location) {
        return location == null
                ? "it exceeds the parser's limits (" + StreamReadConstraints.DEFAULT_MAX_DEPTH + " levels of nesting, "
                        + StreamReadConstraints.DEFAULT_MAX_NUM_LEN + " digits of a number)"
                : "the parser stopped at character " + location.getCharOffset();
    }

    /** Without a cause: Jackson's messages quote the payload. */
    private static InvalidEventException notJson(String size, String why) {
        return new InvalidEventException("The payload (" + size + ") is not JSON: " + why
                + ". Send one JSON value in UTF-8, or declare the bytes with Payload.binary.");
    }
}
