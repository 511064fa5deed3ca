package dev.waybill.spi;

import java.time.Instant;

/**
 * What a destination needs to know of the event behind a message.
 *
 * @param orderKey messages with the same one arrive in the order in which they are published
 * @param contentType of the payload, unless a header of the message says otherwise
 */
public record EventFacts(Utf8 id, Utf8 type, Utf8 orderKey, String contentType, Instant createdAt) {

    public static EventFacts of(StoredEvent event) {
        return new EventFacts(event.id(), event.type(), event.orderKey(), event.contentType(), event.createdAt());
    }
}
