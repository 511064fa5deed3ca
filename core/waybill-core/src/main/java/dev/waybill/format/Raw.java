package dev.waybill.format;

import dev.waybill.spi.StoredEvent;

/** The unchanged payload. */
record Raw(HeaderStyle style) implements Format {

    @Override
    public Formatted format(StoredEvent event) {
        return new Formatted(event.payload(), OwnHeaders.of(event).onMessage(event, event.contentType(), style));
    }

    @Override
    public String toString() {
        return "raw";
    }
}
