package dev.waybill.registry;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Outbox;
import java.util.ArrayList;
import java.util.List;

/** Checks all events before the first is written. */
record CheckedOutbox<T>(Outbox<T> outbox, EventRegistry registry) implements Outbox<T> {

    @Override
    public void append(T transaction, List<Event> events) {
        requireFit(events);
        outbox.append(transaction, events);
    }

    @Override
    public int appendIfAbsent(T transaction, List<Event> events) {
        requireFit(events);
        return outbox.appendIfAbsent(transaction, events);
    }

    private void requireFit(List<Event> events) {
        List<String> misfits = new ArrayList<>();
        for (Event event : events) {
            List<String> problems = registry.problems(event);
            if (!problems.isEmpty()) {
                misfits.add("event " + event.id() + " of type " + event.type() + ": " + String.join("; ", problems));
            }
        }
        if (!misfits.isEmpty()) {
            throw new InvalidEventException(misfits.size() + " of " + events.size()
                    + " events do not match the registry, and nothing was appended: " + String.join(". ", misfits)
                    + ". Correct the events or the registry.");
        }
    }
}
