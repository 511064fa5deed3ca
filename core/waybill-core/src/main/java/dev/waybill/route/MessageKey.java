package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;

/** What keeps messages together: the stored key, or else the aggregate's id. */
final class MessageKey {
    private MessageKey() {}

    static byte[] of(StoredEvent event) {
        Utf8 key = event.key();
        return key != null ? key.bytes() : event.aggregateId().bytes();
    }
}
