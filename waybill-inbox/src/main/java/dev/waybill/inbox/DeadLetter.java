package dev.waybill.inbox;

import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.DeadLetterHeaders;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage;
import java.time.Instant;
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
                new DeadEvent(held, failedAt), topic, message.key(), body.toJson(), DeadLetterHeaders.of(message));
    }
}
