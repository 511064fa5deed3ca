package dev.waybill.tck.memory;

import dev.waybill.spi.Utf8;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The parked events of one relay, oldest first. */
final class Parking {
    private final NavigableMap<Long, Parked> byPosition = new TreeMap<>();

    boolean holds(long position) {
        return byPosition.containsKey(position);
    }

    Optional<Parked> find(long position) {
        return Optional.ofNullable(byPosition.get(position));
    }

    void put(Parked parked) {
        byPosition.put(parked.event().position(), parked);
    }

    void remove(long position) {
        byPosition.remove(position);
    }

    Collection<Parked> all() {
        return byPosition.values();
    }

    Collection<Parked> after(long position) {
        return byPosition.tailMap(position, false).values();
    }

    /** The first event of each closed key, which must be sent before the others. */
    Map<Utf8, Parked> heads() {
        Map<Utf8, Parked> heads = new LinkedHashMap<>();
        byPosition.values().stream()
                .filter(Parked::closesKey)
                .forEach(parked -> heads.putIfAbsent(parked.key(), parked));
        return heads;
    }
}
