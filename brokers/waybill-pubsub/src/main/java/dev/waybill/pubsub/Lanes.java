package dev.waybill.pubsub;

import dev.waybill.pubsub.PublishedBatch.Place;
import dev.waybill.spi.Utf8;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lanes that have something to send or are closed; others are forgotten. Used under the session's lock. */
final class Lanes {
    private final Map<Utf8, Lane> lanes = new HashMap<>();
    private final Set<Lane> closed = new LinkedHashSet<>();
    private final Deque<Lane> ready = new ArrayDeque<>();

    Lane of(Place place) {
        return lanes.computeIfAbsent(place.message().event().orderKey(), Lane::new);
    }

    /**
     * @return false when it must stay behind
     */
    boolean enter(Lane lane, Place place) {
        if (lane.holdsBack(place.eventId())) {
            return false;
        }
        closed.remove(lane);
        if (lane.enter(place)) {
            ready.add(lane);
        }
        return true;
    }

    /** This message is answered Retry or Behind; its lane is closed. */
    void closeBehind(Lane lane, Place place) {
        lane.closeBehind(place);
        closed.add(lane);
    }

    void relayHasSeenBatchesBelow(long number) {
        closed.removeIf(lane -> {
            boolean open = lane.relayHasSeenBatchesBelow(number);
            if (open) {
                forgetIfIdle(lane);
            }
            return open;
        });
    }

    /** The lane whose turn it is. */
    @Nullable Lane next() {
        return ready.poll();
    }

    /** The request that was out is answered. */
    void goOn(Lane lane) {
        if (lane.goesOn()) {
            ready.add(lane);
        }
        forgetIfIdle(lane);
    }

    private void forgetIfIdle(Lane lane) {
        if (lane.isIdle()) {
            lanes.remove(lane.key());
        }
    }

    /** Empties all lanes and forgets them. */
    List<Place> leave() {
        List<Place> all = new ArrayList<>();
        lanes.values().forEach(lane -> all.addAll(lane.leave()));
        lanes.clear();
        closed.clear();
        ready.clear();
        return all;
    }
}
