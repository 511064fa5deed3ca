package dev.waybill.kafka;

import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Messages to topics that are being looked up, and those of the same keys behind them, in order of arrival. */
final class WaitingRoom {
    private List<Place> places = new ArrayList<>();
    private final Set<Utf8> keys = new HashSet<>();

    boolean isEmpty() {
        return places.isEmpty();
    }

    boolean has(Utf8 key) {
        return keys.contains(key);
    }

    void enter(Place place) {
        places.add(place);
        keys.add(place.orderKey());
    }

    /** Empties the room; messages that must still wait are added again, in order. */
    List<Place> leave() {
        List<Place> all = places;
        places = new ArrayList<>();
        keys.clear();
        return all;
    }
}
