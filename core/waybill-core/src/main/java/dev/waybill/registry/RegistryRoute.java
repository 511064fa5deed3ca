package dev.waybill.registry;

import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.route.RouteException;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Routes only events that match the registry. */
record RegistryRoute(String words, EventRegistry registry, Function<Utf8, Optional<Route>> routes) implements Route {

    @Override
    public Address addressOf(StoredEvent event) {
        List<String> problems = registry.problems(event);
        if (!problems.isEmpty()) {
            throw new RouteException("Event " + event.id() + " of type " + event.type()
                    + " does not match the registry and was not sent: " + String.join("; ", problems)
                    + ". Correct the registry and requeue the event, or correct the producer and discard the event.");
        }
        return routes.apply(event.type()).orElseThrow().addressOf(event);
    }

    @Override
    public Optional<String> topicOf(String type, String aggregateType) {
        return routes.apply(Utf8.of(type)).flatMap(route -> route.topicOf(type, aggregateType));
    }

    @Override
    public String toString() {
        return words;
    }
}
