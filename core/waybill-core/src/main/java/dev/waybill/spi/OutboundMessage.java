package dev.waybill.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event in the form in which it travels.
 *
 * @param event what there is to know of the event it was made from
 * @param topic the topic, or the routing key
 * @param key what keeps events together on the destination
 * @param value the body
 * @param headers in this order
 */
public record OutboundMessage(
        EventFacts event, String topic, byte @Nullable [] key, byte[] value, List<Header> headers) {

    public record Header(String name, byte[] value) {}

    /** Names the message without key, body or header values: those may be personal data. */
    @Override
    public String toString() {
        return "OutboundMessage[" + event.id() + " to " + topic + ", " + value.length + " bytes]";
    }
}
