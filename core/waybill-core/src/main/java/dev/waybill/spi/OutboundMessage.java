package dev.waybill.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message for a destination.
 *
 * @param event facts about its event
 * @param topic the topic, or the routing key
 * @param key messages with the same key stay together at the destination
 * @param value the body
 * @param headers in this order
 */
public record OutboundMessage(
        EventFacts event, String topic, byte @Nullable [] key, byte[] value, List<Header> headers) {

    public record Header(String name, byte[] value) {}

    /** Without key, body and header values, which may be personal data. */
    @Override
    public String toString() {
        return "OutboundMessage[" + event.id() + " to " + topic + ", " + value.length + " bytes]";
    }
}
