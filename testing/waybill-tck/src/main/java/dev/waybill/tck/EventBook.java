package dev.waybill.tck;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spi.StoredEvent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Gives the events of a test names, so that a failure reads {@code [a1, b1]} and not as a list of UUIDs. The letters of a
 * name are its key: {@code a1} and {@code a2} belong together.
 */
final class EventBook {
    private final UnaryOperator<String> aggregateId;
    private final Map<String, Event> byName = new HashMap<>();
    private final Map<String, String> namesById = new HashMap<>();

    /** @param aggregateId of a name, in the form of the store */
    EventBook(UnaryOperator<String> aggregateId) {
        this.aggregateId = aggregateId;
    }

    /** The event of this name; made when it is first asked for. */
    synchronized Event event(String name) {
        Event known = byName.get(name);
        return known != null
                ? known
                : enter(
                        name,
                        Event.of("tck.happened.v1")
                                .aggregate("Thing", aggregateId.apply(keyOf(name)))
                                .payload(Payload.json("{\"name\":\"" + name + "\"}")));
    }

    Event[] events(String... names) {
        return Arrays.stream(names).map(this::event).toArray(Event[]::new);
    }

    /** Takes in an event that a test made itself. */
    synchronized Event enter(String name, Event event) {
        byName.put(name, event);
        namesById.put(event.id(), name);
        return event;
    }

    String id(String name) {
        return event(name).id();
    }

    synchronized String name(StoredEvent stored) {
        return name(stored.id().toString());
    }

    synchronized String name(String id) {
        return Objects.requireNonNullElse(namesById.get(id), "unknown event " + id);
    }

    static String keyOf(String name) {
        return name.replaceAll("[^a-z]", "");
    }
}
