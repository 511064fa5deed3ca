package dev.waybill.pubsub;

import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lanes that have something to send or in flight; others are removed. Used under the session's lock. */
final class Lanes {
    private final Map<Utf8, Lane> lanes = new HashMap<>();
    private final Deque<Lane> ready = new ArrayDeque<>();

    void enter(Place place) {
        Lane lane = lanes.computeIfAbsent(place.orderKey(), Lane::new);
        if (lane.enter(place)) {
            ready.add(lane);
        }
    }

    /** The lane whose turn it is. */
    @Nullable Lane next() {
        return ready.poll();
    }

    /** The request in flight was answered. */
    void goOn(Lane lane) {
        if (lane.goesOn()) {
            ready.add(lane);
        }
        if (lane.isIdle()) {
            lanes.remove(lane.key());
        }
    }

    /** Empties and removes all lanes. */
    List<Place> leave() {
        List<Place> all = new ArrayList<>();
        lanes.values().forEach(lane -> all.addAll(lane.leave()));
        lanes.clear();
        ready.clear();
        return all;
    }
}
