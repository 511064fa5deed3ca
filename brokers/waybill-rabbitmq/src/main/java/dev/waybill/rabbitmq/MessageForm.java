package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.waybill.format.HeaderNames;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to AMQP: persistent, with the event's id, type, time and content type as properties, and the message's headers
 * and key as headers. Messages that AMQP cannot carry are refused before they are sent: the client would fail halfway and could no
 * longer match confirms to messages.
 */
record MessageForm(RabbitErrors errors, long maxMessageBytes) {
    static final int PERSISTENT = 2;
    /** Names and properties are short strings in AMQP. */
    private static final int SHORT = 255;
    /** Properties and headers must fit into one frame, of 128 KiB in RabbitMQ; some room is left for the properties. */
    private static final int HEADER_ROOM = 120 * 1024;

    /** @return empty if it can be sent */
    Optional<Delivery> problemWith(OutboundMessage message) {
        if (message.value().length > maxMessageBytes) {
            return Optional.of(errors.tooLarge(message.topic(), message.value().length, maxMessageBytes));
        }
        if (isTooLong(message.topic())) {
            return Optional.of(errors.topicTooLong(message.topic()));
        }
        return tooLong(message).map(why -> errors.cannotBeEncoded(message.topic(), why));
    }

    private static Optional<String> tooLong(OutboundMessage message) {
        EventFacts event = message.event();
        if (event.id().length() > SHORT || event.type().length() > SHORT || isTooLong(contentType(message))) {
            return Optional.of("its id, type or content type is longer than 255 bytes");
        }
        byte[] key = message.key();
        long room = key == null ? 0 : key.length;
        for (Header header : message.headers()) {
            if (isTooLong(header.name())) {
                return Optional.of("the name of a header is longer than 255 bytes");
            }
            room += header.name().getBytes(StandardCharsets.UTF_8).length + header.value().length + 8L;
        }
        return room > HEADER_ROOM
                ? Optional.of("its headers have about " + room + " bytes, at most " + HEADER_ROOM + " can be sent")
                : Optional.empty();
    }

    private static boolean isTooLong(String text) {
        // A char takes at most three bytes in UTF-8.
        return text.length() > SHORT / 3 && text.getBytes(StandardCharsets.UTF_8).length > SHORT;
    }

    static BasicProperties properties(OutboundMessage message) {
        EventFacts event = message.event();
        return new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .messageId(event.id().toString())
                .type(event.type().toString())
                .timestamp(timestamp(event.createdAt()))
                .contentType(contentType(message))
                .headers(headers(message))
                .build();
    }

    /** None if the store does not know it: consumers would take it for a message of 1970. */
    private static @Nullable Date timestamp(Instant createdAt) {
        return createdAt.equals(Instant.EPOCH) ? null : Date.from(createdAt);
    }

    /** The format's content type, or the event's. If it is too long for the property, it is sent only as a header. */
    private static String contentType(OutboundMessage message) {
        for (Header header : message.headers()) {
            if (header.name().equals(HeaderNames.CONTENT_TYPE) && header.value().length <= SHORT) {
                return new String(header.value(), StandardCharsets.UTF_8);
            }
        }
        return message.event().contentType();
    }

    private static Map<String, Object> headers(OutboundMessage message) {
        Map<String, Object> headers = new LinkedHashMap<>();
        for (Header header : message.headers()) {
            headers.put(header.name(), text(header.value()));
        }
        byte[] key = message.key();
        if (key != null) {
            headers.put(RabbitDestination.KEY_HEADER, text(key));
        }
        return headers;
    }

    /** A long string carries any bytes, and other clients read it as text. */
    static LongString text(byte[] bytes) {
        return LongStringHelper.asLongString(bytes);
    }
}
