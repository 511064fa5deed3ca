package dev.waybill.spring.boot.run;

import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.run.PlannedRelay.NamedBroker;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The brokers of the application by the names of their destinations: those of {@code waybill.destinations}, and those that Spring
 * Boot has a connection to.
 */
final class Brokers {
    private final Map<String, Broker> all;
    private final Set<String> choices;

    private Brokers(Map<String, Broker> all, Set<String> choices) {
        this.all = all;
        this.choices = choices;
    }

    /**
     * @param types whose modules are on the class path
     * @param defaults of a destination without configuration
     */
    static Brokers of(
            Map<String, DestinationProperties> configured,
            Collection<BrokerType> types,
            DestinationProperties defaults,
            Mistakes mistakes) {
        Map<String, Broker> all = new TreeMap<>();
        configured.forEach((name, given) -> {
            String where = "waybill.destinations." + name;
            type(where, given, types, mistakes)
                    .flatMap(type -> mistakes.made(where, () -> type.broker(given)))
                    .ifPresent(broker -> all.put(name, broker));
        });
        Set<String> chosen = Set.copyOf(all.keySet());
        for (BrokerType type : types) {
            if (type.isConnected() && !configured.containsKey(type.name())) {
                mistakes.made("Spring Boot's connection " + type.name(), () -> type.broker(defaults))
                        .ifPresent(broker -> all.put(type.name(), broker));
            }
        }
        return new Brokers(all, configured.isEmpty() ? all.keySet() : chosen);
    }

    private static Optional<BrokerType> type(
            String where, DestinationProperties given, Collection<BrokerType> types, Mistakes mistakes) {
        if (given.type() == null) {
            mistakes.add(where, "it has no type: use kafka, rabbitmq or pubsub");
            return Optional.empty();
        }
        Optional<BrokerType> found =
                types.stream().filter(type -> type.type() == given.type()).findFirst();
        if (found.isEmpty()) {
            String module = "waybill-" + Names.of(given.type());
            mistakes.add(where, "its type needs the module " + module + ", which is not on the class path: add it");
        }
        return found;
    }

    Set<String> names() {
        return all.keySet();
    }

    /** Those that are used if nothing is chosen: the configured ones, or those of Spring Boot if none is configured. */
    List<String> choices() {
        return List.copyOf(choices);
    }

    /**
     * The broker of a relay or a consumer.
     *
     * @param key the property that names it
     */
    Optional<NamedBroker> chosen(String key, @Nullable String given, Mistakes mistakes) {
        Names.Choice choice = new Names.Choice(
                all.keySet(),
                choices,
                "add a module such as waybill-kafka with spring-boot-kafka, or configure waybill.destinations");
        return Names.chosen(key, "destination", given, choice, mistakes)
                .map(name -> new NamedBroker(name, Objects.requireNonNull(all.get(name))));
    }
}
