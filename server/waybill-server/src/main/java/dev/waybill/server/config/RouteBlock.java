package dev.waybill.server.config;

import dev.waybill.registry.EventRegistry;
import dev.waybill.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where a relay's events go. */
final class RouteBlock {
    /** Which part of the event names its topic. */
    enum By {
        TYPE,
        STORED_TOPIC,
        REGISTRY
    }

    private static final Key<By> BY = Key.optional(
            "by",
            Scalars.choice(By.class),
            "To the topic named like the event's type, to the topic stored with the event, or as the registry says.");
    private static final Key<Map<String, String>> AGGREGATE_TYPE = Key.optional(
            "aggregate-type", new Texts("topics by aggregate type"), "To the topic beside the event's aggregate type.");
    private static final Key<String> TOPIC = Key.optional("topic", Scalars.TEXT, "Everything to one topic.");
    private static final Key<String> TEMPLATE = Key.optional(
            "template",
            Scalars.TEXT,
            "To a topic whose name is made of `{type}`, `{aggregateType}` and `{aggregateId}`.");

    static final Block BLOCK = Block.of(BY, AGGREGATE_TYPE, TOPIC, TEMPLATE);

    private RouteBlock() {}

    /**
     * @throws IllegalArgumentException when it cannot be used; the message says why
     */
    static Route route(Section section, Optional<EventRegistry> registry) {
        List<Key<?>> given = BLOCK.keys().stream()
                .filter(key -> section.find(key).isPresent())
                .toList();
        if (given.size() > 1) {
            throw new IllegalArgumentException("the route has "
                    + String.join(" and ", given.stream().<String>map(Key::name).toList()) + ": give one of them");
        }
        By by = section.find(BY).orElse(By.TYPE);
        if (by == By.REGISTRY) {
            return registry.map(EventRegistry::route)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the route is by registry, and the relay has none: give it the key registry"));
        }
        Route route = section.find(AGGREGATE_TYPE)
                .map(Route::byAggregateType)
                .or(() -> section.find(TOPIC).map(Route::fixed))
                .or(() -> section.find(TEMPLATE).map(Route::template))
                .orElseGet(() -> by == By.STORED_TOPIC ? Route.storedTopic() : Route.byType());
        return registry.map(known -> known.checking(route)).orElse(route);
    }
}
