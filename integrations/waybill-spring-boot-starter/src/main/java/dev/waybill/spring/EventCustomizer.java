package dev.waybill.spring;

import dev.waybill.Event;

/**
 * Adds to every event before it is appended, such as a header with the tenant. Declare it as a bean; several are applied in their
 * order. It runs on the thread and in the transaction of the append.
 */
@FunctionalInterface
public interface EventCustomizer {
    /** @return the event itself, or a copy with more */
    Event customize(Event event);
}
