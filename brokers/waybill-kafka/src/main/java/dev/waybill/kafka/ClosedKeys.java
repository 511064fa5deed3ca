package dev.waybill.kafka;

import dev.waybill.kafka.WaitingRoom.Place;
import dev.waybill.spi.Utf8;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Keys with a message that was answered Retry or InDoubt. What follows in such a key is answered Behind, or it would overtake; once
 * the relay has seen the answer it holds followers back itself, and the key is open here again. The relay has seen it
 *
 * <ul>
 *   <li>when it hands over a message that was answered so before: it retries what it knows to have failed; or
 *   <li>when all batches up to that one were complete at one publish, and it publishes again: between the two it has taken
 *       in what was complete. Then it may send followers, because the first was given up.
 * </ul>
 */
final class ClosedKeys {
    private final Map<Utf8, Answered> closed = new HashMap<>();

    boolean isEmpty() {
        return closed.isEmpty();
    }

    void close(Place place) {
        Answered answered = closed.computeIfAbsent(place.key(), k -> new Answered(place));
        answered.eventIds.add(place.message().event().id());
        answered.lastBatch = place.batch().number();
        if (answered.first.isAfter(place)) {
            answered.first = place;
        }
    }

    /**
     * Whether a message must stay behind. One that was answered before opens its key; one that was handed over before the
     * first that was answered does not follow it.
     */
    boolean holdsBack(Place place) {
        Answered answered = closed.get(place.key());
        if (answered == null) {
            return false;
        }
        if (answered.eventIds.contains(place.message().event().id())) {
            closed.remove(place.key());
            return false;
        }
        return place.isAfter(answered.first);
    }

    void relayHasSeenBatchesBelow(long number) {
        if (!closed.isEmpty()) {
            closed.values().removeIf(answered -> answered.lastBatch < number);
        }
    }

    private static final class Answered {
        private final Set<Utf8> eventIds = new HashSet<>();
        private Place first;
        private long lastBatch;

        Answered(Place first) {
            this.first = first;
        }
    }
}
