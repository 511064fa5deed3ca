package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;

/** How the name of a topic is made from an event, in bytes. */
interface TopicName {
    Utf8 of(StoredEvent event);

    static TopicName part(EventPart part) {
        return part::required;
    }
}
