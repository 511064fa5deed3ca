package dev.waybill.spring;

import dev.waybill.InvalidEventException;
import dev.waybill.Payload;

/**
 * Writes domain objects as payloads. By default with the application's own Jackson mapper; declare a bean of this type for
 * another library.
 */
@FunctionalInterface
public interface PayloadWriter {
    /** @throws InvalidEventException if the object cannot be written */
    Payload payload(Object domainObject);
}
