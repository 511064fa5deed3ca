package dev.waybill.spi;

import java.time.Instant;

/**
 * What a destination needs to know about the event of a message.
 *
 * @param orderKey messages with the same order key arrive in the order in which they are published
 * @param contentType of the payload, unless the message has a content-type header
 */
public record EventFacts(Utf8 id, Utf8 type, Utf8 orderKey, String contentType, Instant createdAt) {

    public static EventFacts of(StoredEvent event) {
        return new EventFacts(event.id(), event.type(), event.orderKey(), event.contentType(), event.createdAt());
    }
}
