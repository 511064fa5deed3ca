package dev.waybill.server.config;

import dev.waybill.format.HeaderStyle;
import dev.waybill.server.config.DestinationType.Broker;
import dev.waybill.server.config.StoreType.OpenStore;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The stores, destinations and relays of the file. A section that cannot be used is reported as a mistake.
 *
 * @param messagingSystems for each destination, the name that traces have for its kind
 */
record ConfiguredParts(
        Serving serving,
        Map<String, Supplier<OpenStore>> stores,
        Map<String, Broker> brokers,
        Map<String, String> messagingSystems,
        Map<String, ConfiguredRelay> relays) {
    private static final String STORE = "store";
    private static final String DESTINATION = "destination";

    static ConfiguredParts of(Optional<Section> root) {
        ConfiguredParts parts = new ConfiguredParts(
                root.filter(Section::isSound).map(Serving::of).orElseGet(Serving::nowhere),
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                new HashMap<>(),
                new LinkedHashMap<>());
        root.ifPresent(parts::fill);
        return parts;
    }

    private void fill(Section root) {
        Section allStores = root.section("stores");
        Section allBrokers = root.section("destinations");
        Map<String, Section> ofStores =
                typed(allStores, StoreType.ALL.stream().map(StoreType::name).toList());
        Map<String, Section> ofBrokers = typed(
                allBrokers,
                DestinationType.ALL.stream().map(DestinationType::name).toList());
        Map<String, Section> ofRelays = root.section("relays").sections();
        ofStores.forEach((name, section) ->
                made(section, StoreType.of(section)::read).ifPresent(store -> stores.put(name, store)));
        ofBrokers.forEach((name, section) -> {
            DestinationType type = DestinationType.of(section);
            messagingSystems.put(name, type.messagingSystem());
            made(section, type::read).ifPresent(broker -> brokers.put(name, broker));
        });
        ofRelays.forEach((name, section) -> {
            checkName(section, STORE, allStores.values().propertyNames());
            checkName(section, DESTINATION, allBrokers.values().propertyNames());
            HeaderStyle headers = section.findText(DESTINATION)
                    .map(ofBrokers::get)
                    .map(broker -> DestinationType.of(broker).headers())
                    .orElse(HeaderStyle.HYPHENS);
            Optional<Duration> retention = section.findText(STORE)
                    .map(ofStores::get)
                    .flatMap(store -> store.find("retention", Duration.class));
            made(section, given -> ConfiguredRelay.of(name, given, headers, retention))
                    .ifPresent(relay -> {
                        relays.put(name, relay);
                        Optional.ofNullable(ofStores.get(relay.store()))
                                .flatMap(StoreDefaults::of)
                                .ifPresent(defaults ->
                                        defaults.check(section, relay.options().retry()));
                        checkDelivery(section, relay, ofStores, ofBrokers);
                    });
        });
        checkSharedStores(ofRelays, ofStores);
    }

    /** Only some kinds of stores and destinations can deliver exactly once. */
    private static void checkDelivery(
            Section section, ConfiguredRelay relay, Map<String, Section> stores, Map<String, Section> brokers) {
        if (relay.transactions().isEmpty()) {
            ConfiguredRelay.checkTransactionUnused(section);
            return;
        }
        Optional.ofNullable(stores.get(relay.store()))
                .map(StoreType::of)
                .filter(type -> !type.savesWindows())
                .ifPresent(type -> section.mistake(
                        ConfiguredRelay.DELIVERY,
                        "is exactly-once, which a store of type " + type.name()
                                + " cannot do: use a store of type postgres-journal, or at-least-once"));
        Optional.ofNullable(brokers.get(relay.destination()))
                .map(DestinationType::of)
                .filter(type -> !type.hasTransactions())
                .ifPresent(type -> section.mistake(
                        ConfiguredRelay.DELIVERY,
                        "is exactly-once, which a destination of type " + type.name()
                                + " cannot do: use a destination of type kafka, or at-least-once"));
        if (relay.options().countOutages()) {
            section.mistake(
                    ConfiguredRelay.DELIVERY,
                    "is exactly-once, which parks nothing: outages cannot count, so remove count-outages");
        }
    }

    /** Sections whose type is known; the others are reported already. */
    private static Map<String, Section> typed(Section named, List<String> types) {
        Map<String, Section> sections = named.sections();
        sections.values()
                .removeIf(section ->
                        section.findText("type").filter(types::contains).isEmpty());
        return sections;
    }

    private static void checkName(Section relay, String key, Collection<String> known) {
        relay.findText(key)
                .filter(name -> !name.isBlank() && !known.contains(name))
                .ifPresent(name -> relay.mistake(
                        key,
                        relay.place()
                                        .child(key)
                                        .source()
                                        .map(source -> "comes from " + source + " and ")
                                        .orElse("is \"" + name + "\", which ")
                                + Nearest.unknown(name, known)));
    }

    private static <T> Optional<T> made(Section section, Function<Section, T> making) {
        if (!section.isSound()) {
            return Optional.empty();
        }
        try {
            return Optional.of(making.apply(section));
        } catch (IllegalArgumentException e) {
            section.place().mistake(Objects.requireNonNullElse(e.getMessage(), "it cannot be used"));
            return Optional.empty();
        }
    }

    private static void checkSharedStores(Map<String, Section> relays, Map<String, Section> stores) {
        Map<String, String> firstRelay = new HashMap<>();
        relays.forEach((name, relay) -> relay.findText(STORE)
                .map(stores::get)
                .map(StoreType::of)
                .filter(type -> !type.takesSeveralRelays())
                .ifPresent(type -> {
                    String first = firstRelay.computeIfAbsent(relay.text(STORE), unused -> name);
                    if (!first.equals(name)) {
                        relay.mistake(
                                STORE,
                                "is read by the relay " + first + " already, and a store of type " + type.name()
                                        + " marks each event once: let one relay read it");
                    }
                }));
    }
}
