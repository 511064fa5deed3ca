package dev.waybill.inbox;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.format.TraceId;
import dev.waybill.spi.Printable;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** While a handler runs, its log lines have the fields {@code eventId} and {@code traceId}. Restores earlier values at the end. */
final class EventInLogs {
    private static final String EVENT_ID = "eventId";
    private static final String TRACE_ID = "traceId";

    private final @Nullable String eventId = MDC.get(EVENT_ID);
    private final @Nullable String traceId = MDC.get(TRACE_ID);

    private EventInLogs() {}

    static EventInLogs begin(ReceivedEvent event) {
        EventInLogs before = new EventInLogs();
        set(EVENT_ID, Printable.of(event.id()));
        set(TRACE_ID, TraceId.of(event.message()).map(Printable::of).orElse(null));
        return before;
    }

    private static void set(String name, @Nullable String value) {
        if (value == null) {
            MDC.remove(name);
        } else {
            MDC.put(name, value);
        }
    }

    void end() {
        set(EVENT_ID, eventId);
        set(TRACE_ID, traceId);
    }
}
