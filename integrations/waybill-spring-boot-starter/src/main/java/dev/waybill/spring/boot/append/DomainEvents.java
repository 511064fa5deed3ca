package dev.waybill.spring.boot.append;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.PayloadWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Makes events of what an application appends: domain objects are mapped, and customizers applied. */
public final class DomainEvents {
    private final EventMappings mappings;
    private final PayloadWriter json;
    private final List<EventCustomizer> customizers;

    public DomainEvents(EventMappings mappings, PayloadWriter json, List<EventCustomizer> customizers) {
        this.mappings = mappings;
        this.json = json;
        this.customizers = List.copyOf(customizers);
    }

    /** @throws InvalidEventException if an object has no mapping or cannot be mapped */
    public List<Event> toEvents(Collection<?> objects) {
        List<Event> events = new ArrayList<>(objects.size());
        for (Object object : objects) {
            Event event = object instanceof Event made ? made : mappings.map(object, json);
            for (EventCustomizer customizer : customizers) {
                event = customizer.customize(event);
            }
            events.add(event);
        }
        return events;
    }
}
