package dev.waybill.format;

import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.spi.StoredEvent;

/** Checks that a payload can be embedded in JSON text unchanged. */
final class StoredJson {
    static final String CONTENT_TYPE = "application/json";

    private StoredJson() {}

    static byte[] of(StoredEvent event, String format) {
        byte[] payload = event.payload();
        if (!CONTENT_TYPE.equals(event.contentType())) {
            throw new FormatException("Event " + event.id() + " of type " + event.type() + " has a payload of "
                    + payload.length + " bytes of " + event.contentType() + ", but the format " + format
                    + " accepts only JSON: append it with Payload.json, or set the relay's format to raw.");
        }
        if (payload.length == 0) {
            throw new FormatException("Event " + event.id() + " of type " + event.type()
                    + " has an empty payload, which is not JSON: append at least null or {}.");
        }
        if (!event.isKnownJson()) {
            requireOneValue(event, payload);
        }
        return payload;
    }

    /** Text after the first value could close the enclosing object and add members to it. */
    private static void requireOneValue(StoredEvent event, byte[] payload) {
        try {
            Payload.json(payload);
        } catch (InvalidEventException e) {
            throw new FormatException("Event " + event.id() + " of type " + event.type() + ": " + e.getMessage());
        }
    }
}
