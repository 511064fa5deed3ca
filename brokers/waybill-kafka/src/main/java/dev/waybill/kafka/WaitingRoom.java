package dev.waybill.kafka;

import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Utf8;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Messages to topics that are being looked for, and those of the same keys behind them, in the order they came. */
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
        keys.add(place.key);
    }

    /** Empties the room; whoever still has to wait enters again, in this order. */
    List<Place> leave() {
        List<Place> all = places;
        places = new ArrayList<>();
        keys.clear();
        return all;
    }

    /** A message's place in its batch. */
    record Place(InFlightBatch batch, int index, Utf8 key) {
        static Place of(InFlightBatch batch, int index) {
            return new Place(batch, index, batch.message(index).event().orderKey());
        }

        OutboundMessage message() {
            return batch.message(index);
        }

        /** Whether it was handed over later than another. */
        boolean isAfter(Place other) {
            return batch.number() == other.batch.number() ? index > other.index : batch.number() > other.batch.number();
        }
    }
}
