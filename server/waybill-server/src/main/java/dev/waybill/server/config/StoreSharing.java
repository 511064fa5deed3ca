package dev.waybill.server.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What relays of the same store must agree on. */
final class StoreSharing {
    private StoreSharing() {}

    static void check(Map<String, Section> relays, Map<String, Section> stores) {
        Map<String, String> firstRelay = new HashMap<>();
        relays.forEach((name, relay) -> {
            Optional<String> store = relay.find(RelayBlock.STORE).filter(stores::containsKey);
            if (store.isPresent()) {
                String first = firstRelay.computeIfAbsent(store.get(), unused -> name);
                Section other = relays.get(first);
                if (other != null && !first.equals(name)) {
                    check(relay, first, other, StoreType.of(section(stores, store.get())));
                }
            }
        });
    }

    private static Section section(Map<String, Section> stores, String name) {
        return Optional.ofNullable(stores.get(name)).orElseThrow();
    }

    private static void check(Section relay, String first, Section other, StoreType type) {
        if (!type.takesSeveralRelays()) {
            relay.mistake(
                    RelayBlock.STORE,
                    "is read by the relay " + first + " already, and a store of type " + type.name()
                            + " marks each event once: let one relay read it");
        } else if (!relay.find(RelayBlock.RETENTION).equals(other.find(RelayBlock.RETENTION))) {
            relay.mistake(
                    RelayBlock.RETENTION,
                    "differs from that of the relay " + first
                            + " of the same store: what is deleted is deleted for both," + " so give both the same");
        }
    }
}
