package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * AMQP properties of a message as headers. So handlers can read them, and they stay with the message when it becomes a dead
 * letter and is sent back.
 */
final class PropertyHeaders {
    /** Prefix of header names that applications do not use. */
    private static final String PREFIX = "amqp-";

    static final String EXCHANGE = PREFIX + "exchange";
    static final String ROUTING_KEY = PREFIX + "routing-key";

    private static final String MESSAGE_ID = PREFIX + "message-id";
    private static final String TYPE = PREFIX + "type";
    private static final String TIMESTAMP = PREFIX + "timestamp";
    private static final String CONTENT_TYPE = PREFIX + "content-type";
    private static final String CONTENT_ENCODING = PREFIX + "content-encoding";
    private static final String CORRELATION_ID = PREFIX + "correlation-id";
    private static final String REPLY_TO = PREFIX + "reply-to";
    private static final String APP_ID = PREFIX + "app-id";

    private PropertyHeaders() {}

    static boolean isOne(String name) {
        return name.startsWith(PREFIX);
    }

    /** A message that was sent back comes from the default exchange, and carries its original exchange in headers. */
    static boolean staysOnMessage(String name) {
        return name.equals(EXCHANGE) || name.equals(ROUTING_KEY);
    }

    static List<Header> of(BasicProperties properties) {
        List<Header> headers = new ArrayList<>();
        add(headers, MESSAGE_ID, properties.getMessageId());
        add(headers, TYPE, properties.getType());
        Date timestamp = properties.getTimestamp();
        add(headers, TIMESTAMP, timestamp == null ? null : timestamp.toInstant().toString());
        add(headers, CONTENT_TYPE, properties.getContentType());
        add(headers, CONTENT_ENCODING, properties.getContentEncoding());
        add(headers, CORRELATION_ID, properties.getCorrelationId());
        add(headers, REPLY_TO, properties.getReplyTo());
        add(headers, APP_ID, properties.getAppId());
        return headers;
    }

    static void add(List<Header> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.add(new Header(name, value.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /**
     * The properties of a message with these headers that is sent back.
     *
     * @throws IllegalArgumentException if a header is not valid as a property
     */
    static BasicProperties restored(List<Header> headers, byte @Nullable [] key) {
        Map<String, String> properties = new LinkedHashMap<>();
        Map<String, Object> own = new LinkedHashMap<>();
        for (Header header : headers) {
            if (isOne(header.name())) {
                properties.put(header.name(), new String(header.value(), StandardCharsets.UTF_8));
            }
            if (!isOne(header.name()) || staysOnMessage(header.name())) {
                own.put(header.name(), MessageForm.text(header.value()));
            }
        }
        if (key != null) {
            own.put(RabbitDestination.KEY_HEADER, MessageForm.text(key));
        }
        BasicProperties.Builder builder = new BasicProperties.Builder()
                .deliveryMode(MessageForm.PERSISTENT)
                .headers(own);
        set(properties, MESSAGE_ID, builder::messageId);
        set(properties, TYPE, builder::type);
        set(properties, TIMESTAMP, time -> builder.timestamp(timestamp(time)));
        set(properties, CONTENT_TYPE, builder::contentType);
        set(properties, CONTENT_ENCODING, builder::contentEncoding);
        set(properties, CORRELATION_ID, builder::correlationId);
        set(properties, REPLY_TO, builder::replyTo);
        set(properties, APP_ID, builder::appId);
        return builder.build();
    }

    private static Date timestamp(String time) {
        try {
            return Date.from(Instant.parse(time));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException("its header " + TIMESTAMP + " is not a time", e);
        }
    }

    private static void set(Map<String, String> from, String name, Consumer<String> setter) {
        Optional.ofNullable(from.get(name)).ifPresent(setter);
    }
}
