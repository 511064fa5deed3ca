package dev.waybill.inbox;

import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.DeadLetterHeaders;
import dev.waybill.format.LeftOut;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A message that could not be handled, on its way to the dead letters. */
final class DeadLetter {
    /** Every broker takes a key of this length. */
    private static final int MOST_KEY_BYTES = 1_000;

    private DeadLetter() {}

    /** With key and headers of the message, so that it can be sent back as it came. */
    static OutboundMessage whole(Held held, String topic, GivenUp why, String consumer) {
        InboundMessage message = held.message;
        return new OutboundMessage(
                new DeadEvent(held, why.at()),
                topic,
                message.key(),
                body(held, why, consumer).toJson(),
                DeadLetterHeaders.of(message));
    }

    /** Small enough for every broker: where the message stands, its length and its hash instead of body and headers. */
    static OutboundMessage withoutMessage(Held held, String topic, GivenUp why, String consumer) {
        InboundMessage message = held.message;
        byte[] key = message.key();
        return new OutboundMessage(
                new DeadEvent(held, why.at()),
                topic,
                key == null || key.length > MOST_KEY_BYTES ? null : key,
                body(held, why, consumer)
                        .without(LeftOut.of(message.place(), message.value()))
                        .toJson(),
                DeadLetterHeaders.withoutMessage(message));
    }

    private static DeadLetterBody body(Held held, GivenUp why, String consumer) {
        Optional<String> id = Optional.ofNullable(held.event).map(event -> event.id());
        return new DeadLetterBody(id, held.message.value(), why.error(), why.at(), consumer);
    }

    static long bytes(OutboundMessage letter) {
        byte[] key = letter.key();
        return letter.value().length + (key == null ? 0 : key.length) + bytes(letter.headers());
    }

    private static long bytes(List<Header> headers) {
        return headers.stream()
                .mapToLong(header -> header.name().getBytes(StandardCharsets.UTF_8).length + header.value().length)
                .sum();
    }
}
