package dev.waybill.server.config;

import dev.waybill.format.HeaderStyle;
import dev.waybill.server.config.DestinationType.Broker;
import dev.waybill.server.config.StoreType.OpenStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the sections of the file make. Whatever cannot be made is noted as a mistake in its section. */
record ConfiguredParts(
        Serving serving,
        Map<String, Supplier<OpenStore>> stores,
        Map<String, Broker> brokers,
        Map<String, ConfiguredRelay> relays) {

    /** A relay and what it is between. */
    record ConfiguredRelay(String store, String destination, RelayBlock.Shape shape) {}

    static ConfiguredParts of(Optional<Section> root) {
        ConfiguredParts parts = new ConfiguredParts(
                root.filter(Section::isSound).map(RootBlock::serving).orElseGet(Serving::nowhere),
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>());
        root.ifPresent(parts::fill);
        return parts;
    }

    private void fill(Section root) {
        Named.All<Section> ofStores = root.find(RootBlock.STORES).orElse(Named.All.none());
        Named.All<Section> ofBrokers = root.find(RootBlock.DESTINATIONS).orElse(Named.All.none());
        Map<String, Section> ofRelays =
                root.find(RootBlock.RELAYS).orElse(Named.All.none()).readable();
        ofStores.readable()
                .forEach((name, section) ->
                        made(section, StoreType.of(section)::read).ifPresent(store -> stores.put(name, store)));
        ofBrokers
                .readable()
                .forEach((name, section) -> made(section, DestinationType.of(section)::read)
                        .ifPresent(broker -> brokers.put(name, broker)));
        ofRelays.forEach((name, section) -> {
            refer(section, RelayBlock.STORE, ofStores.names());
            refer(section, RelayBlock.DESTINATION, ofBrokers.names());
            fillIn(name, section, ofBrokers.readable());
        });
        StoreSharing.check(ofRelays, ofStores.readable());
    }

    private void fillIn(String relay, Section section, Map<String, Section> ofBrokers) {
        HeaderStyle headers = section.find(RelayBlock.DESTINATION)
                .map(ofBrokers::get)
                .map(broker -> DestinationType.of(broker).headers())
                .orElse(HeaderStyle.HYPHENS);
        made(section, given -> RelayBlock.shape(relay, given, headers))
                .ifPresent(shape -> relays.put(
                        relay,
                        new ConfiguredRelay(
                                section.get(RelayBlock.STORE), section.get(RelayBlock.DESTINATION), shape)));
    }

    private static void refer(Section relay, Key<String> key, Set<String> known) {
        relay.find(key)
                .filter(name -> !known.contains(name))
                .ifPresent(name -> relay.mistake(key, "is \"" + name + "\", which " + Nearest.unknown(name, known)));
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
}
