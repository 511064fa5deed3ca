package dev.waybill.inbox;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message that could not be handled, in the form in which it is put to the dead letters: a JSON object with the original
 * event as it was, or with the message's bytes in base64 when they could not be read. Key and headers are the message's own,
 * so that it can be sent back as it came.
 */
final class DeadLetter {
    /** The topic the message came from. */
    static final String TOPIC_HEADER = "dead-letter-topic";
    /** Where it stood there. */
    static final String PLACE_HEADER = "dead-letter-place";

    private static final int MAX_ERROR = 2_000;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private DeadLetter() {}

    static OutboundMessage of(Held held, String topic, String error, Instant failedAt, String consumer) {
        InboundMessage message = held.message;
        ByteArrayOutputStream body = new ByteArrayOutputStream(message.value().length + 512);
        member(body, "{\"eventId\":", idOf(held).map(DeadLetter::quoted).orElse("null"));
        if (held.event != null && JsonMembers.isJson(message.value())) {
            write(body, ",\"originalEvent\":");
            body.writeBytes(message.value());
        } else {
            member(
                    body,
                    ",\"originalEvent\":null,\"originalBytes\":",
                    quoted(Base64.getEncoder().encodeToString(message.value())));
        }
        member(body, ",\"errorMessage\":", quoted(cut(error)));
        member(body, ",\"failedAt\":", quoted(failedAt.toString()));
        member(body, ",\"consumerService\":", quoted(consumer));
        write(body, "}");
        String id = idOf(held).orElse(message.place());
        return new OutboundMessage(
                new DeadEvent(id, message), topic, message.key(), body.toByteArray(), headers(message));
    }

    private static Optional<String> idOf(Held held) {
        return held.event == null ? Headers.find(held.message, "event-id", "event_id") : Optional.of(held.event.id());
    }

    private static List<Header> headers(InboundMessage message) {
        List<Header> headers = new ArrayList<>();
        for (Header header : message.headers()) {
            if (!header.name().equals(TOPIC_HEADER) && !header.name().equals(PLACE_HEADER)) {
                headers.add(header);
            }
        }
        headers.add(new Header(TOPIC_HEADER, message.topic().getBytes(StandardCharsets.UTF_8)));
        headers.add(new Header(PLACE_HEADER, message.place().getBytes(StandardCharsets.UTF_8)));
        return headers;
    }

    private static String cut(String error) {
        return error.length() <= MAX_ERROR
                ? error
                : error.substring(
                        0, error.offsetByCodePoints(0, Math.min(MAX_ERROR, error.codePointCount(0, error.length()))));
    }

    private static String quoted(String text) {
        return MAPPER.writeValueAsString(text);
    }

    private static void member(ByteArrayOutputStream body, String name, String value) {
        write(body, name);
        write(body, value);
    }

    private static void write(ByteArrayOutputStream body, String text) {
        body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
