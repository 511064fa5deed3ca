package dev.waybill.spring.boot.run;

import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.registry.EventRegistry;
import dev.waybill.relay.RelayOptions;
import dev.waybill.route.Route;
import dev.waybill.spring.boot.properties.RelayProperties;
import dev.waybill.spring.boot.properties.RelayProperties.RouteBy;
import dev.waybill.spring.boot.properties.StoreType;
import dev.waybill.spring.boot.properties.WaybillProperties;
import dev.waybill.spring.boot.run.PlannedRelay.Messages;
import dev.waybill.spring.boot.run.PlannedRelay.NamedBroker;
import dev.waybill.spring.boot.store.WaybillStore;
import dev.waybill.spring.boot.store.WaybillStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes plans of the configured relays, or of the relay {@code main} if none is configured. */
final class RelayPlanner {
    private final WaybillStores stores;
    private final Brokers brokers;
    private final Limits limits;
    private final Mistakes mistakes;

    /**
     * @param source of envelopes, unless the relay has its own
     * @param phase how long a phase of the shutdown may take
     * @param registries reads a registry from its location
     */
    record Limits(Optional<String> source, Duration phase, Function<String, EventRegistry> registries) {
        /** A stop that takes longer than its phase would not be waited for. */
        Duration within(Duration grace) {
            Duration most = phase.minus(phase.dividedBy(10));
            return grace.compareTo(most) < 0 ? grace : most;
        }
    }

    RelayPlanner(WaybillStores stores, Brokers brokers, Limits limits, Mistakes mistakes) {
        this.stores = stores;
        this.brokers = brokers;
        this.limits = limits;
        this.mistakes = mistakes;
    }

    /**
     * The relay main from the only store to the only broker. Without a broker there is none: events wait, or another process
     * publishes them.
     *
     * @param needed whether it is a mistake if it is not clear which store and broker are meant
     */
    List<PlannedRelay> main(RelayProperties defaults, boolean needed) {
        boolean clear = brokers.choices().size() == 1 && stores.all().size() == 1;
        return clear || (needed && !brokers.choices().isEmpty())
                ? plan(WaybillProperties.MAIN, defaults).stream().toList()
                : List.of();
    }

    List<PlannedRelay> plan(Map<String, RelayProperties> configured) {
        List<PlannedRelay> planned = new ArrayList<>();
        Map<String, String> firstOfStore = new HashMap<>();
        new TreeMap<>(configured).forEach((name, given) -> {
            Optional<PlannedRelay> relay = plan(name, given);
            relay.ifPresent(planned::add);
            relay.ifPresent(one -> requireAlone(one, firstOfStore));
        });
        return planned;
    }

    private void requireAlone(PlannedRelay relay, Map<String, String> firstOfStore) {
        String first = firstOfStore.putIfAbsent(relay.store().name(), relay.name());
        if (first != null && relay.store().type() != StoreType.POSTGRES_JOURNAL) {
            mistakes.add(
                    key(relay.name(), "store"),
                    "is read by the relay " + first + " already, and a store of type "
                            + Names.of(relay.store().type()) + " marks each event once: let one relay read it");
        }
    }

    private static String key(String relay, String key) {
        return "waybill.relays." + relay + "." + key;
    }

    private Optional<PlannedRelay> plan(String name, RelayProperties given) {
        Optional<WaybillStore> store = store(name, given);
        Optional<NamedBroker> broker = broker(name, given);
        if (store.isEmpty() || broker.isEmpty()) {
            return Optional.empty();
        }
        return mistakes.made("waybill.relays." + name, () -> {
            RelayOptions options =
                    given.options(store.get().relayDefaults(), store.get().retention());
            return new PlannedRelay(
                    name,
                    store.get(),
                    broker.get(),
                    messages(given, broker.get().broker().headers()),
                    options.grace(limits.within(options.grace())),
                    given.autoStartup());
        });
    }

    /**
     * Only the relay main may leave it out. A relay whose name is misspelt, such as in an environment variable, would publish
     * everything again: it has neither store nor destination.
     */
    private Optional<WaybillStore> store(String name, RelayProperties given) {
        List<String> names = stores.all().stream().map(WaybillStore::name).toList();
        String key = key(name, "store");
        if (isMissing(name, key, given.store(), names)) {
            return Optional.empty();
        }
        Names.Choice choice = new Names.Choice(names, names, "configure a data source");
        return Names.chosen(key, "store", given.store(), choice, mistakes).map(stores::get);
    }

    private Optional<NamedBroker> broker(String name, RelayProperties given) {
        String key = key(name, "destination");
        return isMissing(name, key, given.destination(), brokers.names())
                ? Optional.empty()
                : brokers.chosen(key, given.destination(), mistakes);
    }

    private boolean isMissing(String relay, String key, @Nullable String given, Collection<String> known) {
        boolean missing = given == null && !relay.equals(WaybillProperties.MAIN);
        if (missing) {
            mistakes.add(key, "is missing, and only the relay main may leave it out: use one of " + known);
        }
        return missing;
    }

    private Messages messages(RelayProperties given, HeaderStyle headers) {
        Optional<EventRegistry> registry = Optional.ofNullable(given.registry()).map(limits.registries());
        return new Messages(route(given.route(), registry), format(given, headers), given.transactions());
    }

    private Format format(RelayProperties given, HeaderStyle headers) {
        return switch (given.format()) {
            case RAW -> Format.raw(headers);
            case NOTIFICATION -> Format.notification();
            case STORED -> Format.raw();
            case DEBEZIUM -> Format.raw(HeaderStyle.DEBEZIUM);
            case DEBEZIUM_WITH_TYPE -> Format.raw(HeaderStyle.DEBEZIUM_WITH_TYPE);
            case ENVELOPE ->
                Format.envelope(Optional.ofNullable(given.source())
                        .or(limits::source)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "the envelope has no source: set spring.application.name or waybill.source")));
        };
    }

    private static Route route(RelayProperties.Route given, Optional<EventRegistry> registry) {
        long keys = Stream.of(
                        given.by() != null,
                        !given.aggregateType().isEmpty(),
                        given.topic() != null,
                        given.template() != null)
                .filter(Boolean::booleanValue)
                .count();
        if (keys > 1) {
            throw new IllegalArgumentException(
                    "the route has " + keys + " of the keys by, aggregate-type, topic and template: give one of them");
        }
        if (given.by() == RouteBy.REGISTRY) {
            return registry.map(EventRegistry::route)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the route is by registry, but the relay has none: add the key registry"));
        }
        Route route = withoutRegistry(given);
        return registry.map(known -> known.checking(route)).orElse(route);
    }

    private static Route withoutRegistry(RelayProperties.Route given) {
        if (!given.aggregateType().isEmpty()) {
            return Route.byAggregateType(given.aggregateType());
        }
        if (given.topic() != null) {
            return Route.fixed(given.topic());
        }
        if (given.template() != null) {
            return Route.template(given.template());
        }
        return switch (Objects.requireNonNullElse(given.by(), RouteBy.TYPE)) {
            case STORED_TOPIC -> Route.storedTopic();
            case AGGREGATE_TYPE -> Route.byAggregateType();
            case TYPE, REGISTRY -> Route.byType();
        };
    }
}
