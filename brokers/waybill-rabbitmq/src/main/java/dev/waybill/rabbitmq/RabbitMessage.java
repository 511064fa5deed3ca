package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A received message.
 *
 * @param from the channel that delivered it; its tag is valid only there
 * @param topic its queue. Its routing key may differ, and other queues may have received it too
 */
record RabbitMessage(Object from, long tag, String topic, String place, Content content) implements InboundMessage {

    /** Its parts, and when it was sent, if its sender says so. */
    record Content(byte @Nullable [] key, byte[] value, List<Header> headers, Optional<Instant> sentAt) {
        static Content of(BasicProperties properties, byte[] body, List<Header> headers) {
            Date time = properties.getTimestamp();
            return new Content(
                    bytes(own(properties).get(RabbitDestination.KEY_HEADER)).orElse(null),
                    body,
                    headers,
                    Optional.ofNullable(time).map(Date::toInstant));
        }
    }

    @Override
    public byte @Nullable [] key() {
        return content.key;
    }

    @Override
    public byte[] value() {
        return content.value;
    }

    @Override
    public List<Header> headers() {
        return content.headers;
    }

    @Override
    public Optional<Instant> sentAt() {
        return content.sentAt;
    }

    static RabbitMessage of(Object from, String queue, Envelope envelope, BasicProperties properties, byte[] body) {
        return new RabbitMessage(
                from,
                envelope.getDeliveryTag(),
                queue,
                queue + "#" + envelope.getDeliveryTag(),
                Content.of(properties, body, headers(envelope, properties)));
    }

    /** A dead letter: its AMQP headers describe the original message and not the letter. */
    static RabbitMessage letter(Object from, String queue, String place, GetResponse got) {
        return new RabbitMessage(
                from,
                got.getEnvelope().getDeliveryTag(),
                queue,
                place,
                Content.of(got.getProps(), got.getBody(), headers(own(got.getProps()), name -> true)));
    }

    private static List<Header> headers(Envelope envelope, BasicProperties properties) {
        Map<String, Object> own = own(properties);
        List<Header> headers =
                headers(own, name -> !PropertyHeaders.isOne(name) || PropertyHeaders.staysOnMessage(name));
        if (!own.containsKey(PropertyHeaders.ROUTING_KEY)) {
            PropertyHeaders.add(headers, PropertyHeaders.EXCHANGE, envelope.getExchange());
            PropertyHeaders.add(headers, PropertyHeaders.ROUTING_KEY, envelope.getRoutingKey());
        }
        headers.addAll(PropertyHeaders.of(properties));
        return headers;
    }

    private static List<Header> headers(Map<String, Object> own, Predicate<String> taken) {
        List<Header> headers = new ArrayList<>();
        own.forEach((name, value) -> {
            if (!name.equals(RabbitDestination.KEY_HEADER) && taken.test(name)) {
                bytes(value).ifPresent(bytes -> headers.add(new Header(name, bytes)));
            }
        });
        return headers;
    }

    private static Map<String, Object> own(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        return headers == null ? Map.of() : headers;
    }

    /** Text and bytes unchanged, numbers as text; tables and lists are omitted. */
    private static Optional<byte[]> bytes(@Nullable Object value) {
        if (value instanceof LongString text) {
            return Optional.of(text.getBytes());
        }
        if (value instanceof byte[] bytes) {
            return Optional.of(bytes);
        }
        return value instanceof Number || value instanceof Boolean || value instanceof String
                ? Optional.of(value.toString().getBytes(StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Without key, value and headers, which may be personal data. */
    @Override
    public String toString() {
        return place;
    }
}
