package dev.waybill.format;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Key and headers of the message of a dead letter. They are on the letter itself, or in its JSON if the broker cannot carry
 * them together with the letter's own headers.
 *
 * @param headers in order; in Kafka, a name can occur several times
 */
public record MessageHead(byte @Nullable [] key, List<Header> headers) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String NAME = "name";
    private static final String TEXT = "text";
    private static final String BASE64 = "base64";

    public static MessageHead of(InboundMessage message) {
        return new MessageHead(message.key(), message.headers());
    }

    /** The original headers, to send the message back. */
    public static MessageHead of(InboundMessage letter, DeadLetterBody body) {
        return body.head().orElseGet(() -> new MessageHead(letter.key(), DeadLetterHeaders.original(letter.headers())));
    }

    /** An array of objects with name and text, or base64 if the value is not text. The key is first and has no name. */
    String toJson() {
        ArrayNode all = MAPPER.createArrayNode();
        if (key != null) {
            put(all.addObject(), key);
        }
        for (Header header : headers) {
            put(all.addObject().put(NAME, header.name()), header.value());
        }
        return MAPPER.writeValueAsString(all);
    }

    private static void put(ObjectNode node, byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        if (Arrays.equals(text.getBytes(StandardCharsets.UTF_8), value)) {
            node.put(TEXT, text);
        } else {
            node.put(BASE64, Base64.getEncoder().encodeToString(value));
        }
    }

    /**
     * @throws MalformedMessageException if it was not written by {@link #toJson}
     */
    static MessageHead of(byte[] json) {
        byte[] key = null;
        List<Header> headers = new ArrayList<>();
        try {
            JsonNode all = MAPPER.readTree(json);
            if (!all.isArray()) {
                throw malformed();
            }
            for (JsonNode node : all) {
                byte[] value = node.has(TEXT)
                        ? text(node, TEXT).getBytes(StandardCharsets.UTF_8)
                        : Base64.getDecoder().decode(text(node, BASE64));
                if (node.has(NAME)) {
                    headers.add(new Header(text(node, NAME), value));
                } else {
                    key = value;
                }
            }
        } catch (JacksonException | IllegalArgumentException e) {
            throw malformed();
        }
        return new MessageHead(key, headers);
    }

    private static String text(JsonNode node, String member) {
        if (!node.path(member).isString()) {
            throw malformed();
        }
        return node.path(member).stringValue();
    }

    private static MalformedMessageException malformed() {
        return new MalformedMessageException("The dead letter's originalHeaders are not a list of headers.");
    }

    /** Without the values, which may be personal data. */
    @Override
    public String toString() {
        return "MessageHead[" + headers.size() + " headers]";
    }
}
