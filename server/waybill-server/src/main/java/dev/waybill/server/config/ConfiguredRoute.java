package dev.waybill.server.config;

import dev.waybill.registry.EventRegistry;
import dev.waybill.route.Route;
import java.util.List;
import java.util.Optional;

/** The route of a relay. */
final class ConfiguredRoute {
    /** The part of an event that names its topic. */
    private enum By {
        TYPE,
        AGGREGATE_TYPE,
        STORED_TOPIC,
        REGISTRY
    }

    private ConfiguredRoute() {}

    /**
     * @throws IllegalArgumentException if it cannot be used; the message says why
     */
    static Route of(Section section, Optional<EventRegistry> registry) {
        List<String> given = List.copyOf(section.values().propertyNames());
        if (given.size() > 1) {
            throw new IllegalArgumentException("the route has " + String.join(" and ", given) + ": give one of them");
        }
        By by = section.find("by", By.class).orElse(By.TYPE);
        if (by == By.REGISTRY) {
            return registry.map(EventRegistry::route)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the route is by registry, but the relay has none: add the key registry"));
        }
        Route route = section.tree("aggregate-type")
                .map(topics -> Route.byAggregateType(section.texts("aggregate-type")))
                .or(() -> section.findText("topic").map(Route::fixed))
                .or(() -> section.findText("template").map(Route::template))
                .orElseGet(() -> named(by));
        return registry.map(known -> known.checking(route)).orElse(route);
    }

    private static Route named(By by) {
        return switch (by) {
            case STORED_TOPIC -> Route.storedTopic();
            case AGGREGATE_TYPE -> Route.byAggregateType();
            case TYPE, REGISTRY -> Route.byType();
        };
    }
}
