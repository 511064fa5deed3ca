package dev.waybill.format;

import dev.waybill.spi.InboundMessage;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * An event that arrived.
 *
 * @param data the application's payload, in the bytes in which it was appended
 * @param aggregateId as text, also where it is a number in the message
 * @param message what it came in
 */
public record ReceivedEvent(
        String id,
        String type,
        Optional<String> aggregateType,
        Optional<String> aggregateId,
        byte[] data,
        InboundMessage message) {

    public String dataText() {
        return new String(data, StandardCharsets.UTF_8);
    }

    /** The value of the message's header of that name. */
    public Optional<String> header(String name) {
        return message.header(name);
    }

    /** Names the event without data, key or header values: those may be personal data. */
    @Override
    public String toString() {
        return "ReceivedEvent[" + id + " " + type + ", " + data.length + " bytes]";
    }
}
