package dev.waybill.format;

import dev.waybill.spi.StoredEvent;

/** The payload, byte for byte. */
final class Raw implements Format {

    @Override
    public Formatted format(StoredEvent event) {
        return new Formatted(event.payload(), OwnHeaders.of(event).onMessage(event, event.contentType()));
    }

    @Override
    public String toString() {
        return "raw";
    }
}
