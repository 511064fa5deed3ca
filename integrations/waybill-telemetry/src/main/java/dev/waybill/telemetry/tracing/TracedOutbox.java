package dev.waybill.telemetry.tracing;

import dev.waybill.Event;
import dev.waybill.Outbox;
import java.util.List;
import java.util.Map;

/** Stores the current context in the events before they are appended. */
record TracedOutbox<T>(Outbox<T> outbox, EventContext context) implements Outbox<T> {

    @Override
    public void append(T transaction, List<Event> events) {
        outbox.append(transaction, withContext(events));
    }

    @Override
    public int appendIfAbsent(T transaction, List<Event> events) {
        return outbox.appendIfAbsent(transaction, withContext(events));
    }

    private List<Event> withContext(List<Event> events) {
        Map<String, String> headers = context.current();
        return headers.isEmpty()
                ? events
                : events.stream()
                        .map(event -> EventContext.addTo(event, headers))
                        .toList();
    }
}
