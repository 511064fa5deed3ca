package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;

/** The key of a message: the stored key, or the aggregate's id if there is none. */
final class MessageKey {
    private MessageKey() {}

    static byte[] of(StoredEvent event) {
        Utf8 key = event.key();
        return key != null ? key.bytes() : event.aggregateId().bytes();
    }
}
