package dev.waybill.format;

import dev.waybill.spi.InboundMessage;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A received event.
 *
 * @param data the application's payload, unchanged
 * @param source the service that appended it, if the message says so
 * @param aggregateId as text, even if it is a number in the message
 * @param message the message that contained it
 */
public record ReceivedEvent(
        String id,
        String type,
        Optional<String> source,
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

    /** Without data, key and header values, which may be personal data. */
    @Override
    public String toString() {
        return "ReceivedEvent[" + id + " " + type + ", " + data.length + " bytes]";
    }
}
