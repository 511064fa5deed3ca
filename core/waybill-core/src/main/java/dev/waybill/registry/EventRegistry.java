package dev.waybill.registry;

import dev.waybill.Event;
import dev.waybill.Outbox;
import dev.waybill.Payload;
import dev.waybill.route.KnownNames;
import dev.waybill.route.Route;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Defines all types of events. Checked before an application appends ({@link #checking(Outbox)}) or before a relay publishes
 * ({@link #route()}): an event of an unknown type, with the wrong aggregate type, without an aggregate id or with an invalid
 * payload is refused, and the message lists all problems. Safe for use by many threads.
 */
public final class EventRegistry {
    /** Limits the length of messages. */
    private static final int MOST_VIOLATIONS = 100;

    private final Map<Utf8, Entry> entries;
    private final PayloadLimits limits;
    private final PayloadJson json;

    /** A definition in the form used for every event. */
    private record Entry(EventDefinition definition, Utf8 aggregateType, Route route) {}

    private EventRegistry(Map<Utf8, Entry> entries, PayloadLimits limits) {
        this.entries = entries;
        this.limits = limits;
        this.json = new PayloadJson(limits);
    }

    public static EventRegistry of(EventDefinition... definitions) {
        return of(List.of(definitions));
    }

    /**
     * @throws IllegalArgumentException if a type is defined twice
     */
    public static EventRegistry of(List<EventDefinition> definitions) {
        Map<Utf8, Entry> entries = new HashMap<>();
        for (EventDefinition definition : definitions) {
            Entry entry = new Entry(definition, Utf8.of(definition.aggregateType()), Route.fixed(definition.topic()));
            if (entries.put(Utf8.of(definition.type()), entry) != null) {
                throw new IllegalArgumentException("The event type \"" + definition.type()
                        + "\" is defined twice: a type has one topic, one aggregate type and one payload.");
            }
        }
        return new EventRegistry(entries, PayloadLimits.defaults());
    }

    public EventRegistry withLimits(PayloadLimits newLimits) {
        return new EventRegistry(entries, newLimits);
    }

    public PayloadLimits limits() {
        return limits;
    }

    /** The defined types, in alphabetical order. */
    public Set<String> types() {
        Set<String> types = new TreeSet<>();
        entries.values().forEach(entry -> types.add(entry.definition.type()));
        return types;
    }

    /** Routes to the topic of the event's type. An event that does not match becomes dead without being sent. */
    public Route route() {
        return new RegistryRoute("by registry", this, this::routeOf);
    }

    /** Uses the given route for events that match; the registry's topics are not used. */
    public Route checking(Route route) {
        return new RegistryRoute(route + ", checked by registry", this, type -> Optional.of(route));
    }

    /** An outbox that refuses events that do not match, before anything is written. */
    public <T> Outbox<T> checking(Outbox<T> outbox) {
        return new CheckedOutbox<>(outbox, this);
    }

    private Optional<Route> routeOf(Utf8 type) {
        return Optional.ofNullable(entries.get(type)).map(Entry::route);
    }

    List<String> problems(Event event) {
        Payload payload = event.payload();
        return problems(
                Utf8.of(event.type()),
                Utf8.of(event.aggregateType()),
                Utf8.of(event.aggregateId()),
                payload.contentType(),
                payload.bytes());
    }

    List<String> problems(StoredEvent event) {
        return problems(event.type(), event.aggregateType(), event.aggregateId(), event.contentType(), event.payload());
    }

    private List<String> problems(Utf8 type, Utf8 aggregateType, Utf8 aggregateId, String contentType, byte[] payload) {
        Entry entry = entries.get(type);
        if (entry == null) {
            return List.of("its type is not in the registry, which defines " + known()
                    + " (add the type with its topic, aggregate type and payload)");
        }
        List<String> problems = new ArrayList<>();
        if (!aggregateType.equals(entry.aggregateType)) {
            problems.add("its aggregate type is \"" + KnownNames.shortened(aggregateType.toString())
                    + "\" and must be \"" + entry.aggregateType + "\"");
        }
        if (aggregateId.toString().isBlank()) {
            problems.add("it has no aggregate id");
        }
        violations(entry.definition, contentType, payload).forEach(violation -> problems.add(violation.toString()));
        return problems.size() <= MOST_VIOLATIONS ? problems : shortened(problems);
    }

    private String known() {
        return entries.isEmpty() ? "no types" : entries.size() + ": " + KnownNames.list(types());
    }

    private List<Violation> violations(EventDefinition definition, String contentType, byte[] payload) {
        if (!contentType.equals("application/json") && !contentType.endsWith("+json")) {
            return List.of(Violation.ofPayload("is " + contentType + " and must be JSON"));
        }
        try {
            JsonNode read = json.read(payload);
            return definition.payload().violations(read);
        } catch (PayloadJson.UnreadableException e) {
            return List.of(Violation.ofPayload(e.problem()));
        }
    }

    private static List<String> shortened(List<String> problems) {
        List<String> first = new ArrayList<>(problems.subList(0, MOST_VIOLATIONS));
        first.add("and " + (problems.size() - MOST_VIOLATIONS) + " more");
        return first;
    }
}
