package dev.waybill.server.api;

import dev.waybill.server.access.RefusedException;
import dev.waybill.server.secrets.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes JSON. */
final class Json {
    private static final int DEEPEST = 10;
    private static final int LONGEST_TEXT = 100_000;
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxStringLength(LONGEST_TEXT)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Names from the configuration, and what the API itself makes: clients send them back, so they must be whole. */
    private static final Set<Object> NAMES =
            Set.of("store", "relay", "destination", "state", "action", "id", "token", "next", "group");

    private final Secrets secrets;

    Json(Secrets secrets) {
        this.secrets = secrets;
    }

    /** Without secrets, in one line. */
    String write(Obj value) {
        return MAPPER.writeValueAsString(hidden(value.map()));
    }

    private Object hidden(Object value) {
        if (value instanceof String text) {
            return secrets.hide(text);
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(key, NAMES.contains(key) ? each : hidden(each)));
            return copy;
        }
        return value instanceof List<?> list ? list.stream().map(this::hidden).toList() : value;
    }

    /** For the description of the API, which has no secrets. */
    static String pretty(Map<String, Object> value) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    }

    /** @throws RefusedException if it is not a JSON object within the limits */
    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    static Map<String, Object> read(byte[] body) {
        try {
            Object read = MAPPER.readValue(new String(body, StandardCharsets.UTF_8), Object.class);
            if (read instanceof Map<?, ?> object) {
                return (Map<String, Object>) object;
            }
        } catch (JacksonException e) {
            throw bad("The body is not JSON, or too deep, or has a text that is too long.");
        }
        throw bad("The body must be a JSON object.");
    }

    static RefusedException bad(String what) {
        return new RefusedException("400 Bad Request", "bad-request", what);
    }
}
