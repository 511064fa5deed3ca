package dev.waybill.inbox;

import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.HeaderNames;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A message that could not be handled, on its way to the dead letters. Key and headers are the message's own, so that it can
 * be sent back as it came.
 */
final class DeadLetter {
    private DeadLetter() {}

    static OutboundMessage of(Held held, String topic, String error, Instant failedAt, String consumer) {
        InboundMessage message = held.message;
        Optional<String> id = Optional.ofNullable(held.event).map(event -> event.id());
        DeadLetterBody body = new DeadLetterBody(id, message.value(), error, failedAt, consumer);
        return new OutboundMessage(
                new DeadEvent(id.orElse(message.place()), message),
                topic,
                message.key(),
                body.toJson(),
                headers(message));
    }

    private static List<Header> headers(InboundMessage message) {
        List<Header> headers = new ArrayList<>();
        for (Header header : message.headers()) {
            if (!header.name().equals(HeaderNames.DEAD_LETTER_TOPIC)
                    && !header.name().equals(HeaderNames.DEAD_LETTER_PLACE)) {
                headers.add(header);
            }
        }
        headers.add(header(HeaderNames.DEAD_LETTER_TOPIC, message.topic()));
        headers.add(header(HeaderNames.DEAD_LETTER_PLACE, message.place()));
        return headers;
    }

    private static Header header(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
