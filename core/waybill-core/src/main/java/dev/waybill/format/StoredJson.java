package dev.waybill.format;

import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.spi.StoredEvent;

/** The payloads that may stand inside a JSON text as they are. */
final class StoredJson {
    static final String CONTENT_TYPE = "application/json";

    private StoredJson() {}

    static byte[] of(StoredEvent event, String format) {
        byte[] payload = event.payload();
        if (!CONTENT_TYPE.equals(event.contentType())) {
            throw new FormatException("Event " + event.id() + " of type " + event.type() + " has a payload of "
                    + payload.length + " bytes of " + event.contentType() + ", and the format " + format
                    + " takes JSON only: append it with Payload.json, or give the relay the format raw.");
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

    /** Text that goes on after its first value could close the object around it and write members of its own. */
    private static void requireOneValue(StoredEvent event, byte[] payload) {
        try {
            Payload.json(payload);
        } catch (InvalidEventException e) {
            throw new FormatException("Event " + event.id() + " of type " + event.type() + ": " + e.getMessage());
        }
    }
}
