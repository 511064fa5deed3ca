package dev.waybill.relay;

import dev.waybill.spi.Utf8;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Keys of which an event failed while later ones were already claimed. The store closes a key from the settlement on; until
 * every batch that was claimed before that settlement is settled too, the relay must do it. Holds no more keys than events are
 * in flight.
 */
final class ClosedKeys {
    private static final long STILL_OPEN = Long.MAX_VALUE;

    private final Map<Utf8, List<Closing>> closings = new HashMap<>();
    private final Deque<Lifting> liftings = new ArrayDeque<>();

    /**
     * @param ordinal which event closed the key
     * @param lastFlight the key is closed for batches up to this one
     * @param followed whether another event has gone behind it
     */
    private record Closing(long ordinal, long lastFlight, boolean followed) {}

    private record Lifting(long afterFlight, Utf8 key) {}

    boolean isEmpty() {
        return closings.isEmpty();
    }

    /** How many keys are closed. */
    int size() {
        return closings.size();
    }

    /** The event of that ordinal waits or holds its key; later events of the key must wait behind it. */
    void close(Utf8 key, long ordinal, long flight) {
        if (goesBehind(key, ordinal, flight)) {
            // It goes behind another itself, so nobody would ever hand its closing over.
            return;
        }
        List<Closing> ofKey = closings.computeIfAbsent(key, k -> new ArrayList<>(1));
        boolean followed = ofKey.removeIf(c -> c.lastFlight == STILL_OPEN);
        ofKey.add(new Closing(ordinal, STILL_OPEN, followed));
    }

    /** Whether an earlier event than this one closed the key for its batch. */
    boolean isClosedFor(Utf8 key, long ordinal, long flight) {
        return closings.getOrDefault(key, List.of()).stream()
                .anyMatch(c -> c.ordinal < ordinal && flight <= c.lastFlight);
    }

    /** Like {@link #isClosedFor}, for an event that will wait behind the earlier one. */
    boolean goesBehind(Utf8 key, long ordinal, long flight) {
        if (!isClosedFor(key, ordinal, flight)) {
            return false;
        }
        closings.getOrDefault(key, List.of())
                .replaceAll(c -> c.ordinal < ordinal ? new Closing(c.ordinal, c.lastFlight, true) : c);
        return true;
    }

    /** This event of the key is parked or holds it: the store sees to it for batches claimed from now on. */
    void handOver(Utf8 key, long ordinal, long newestFlight) {
        List<Closing> ofKey = closings.getOrDefault(key, List.of());
        for (int i = 0; i < ofKey.size(); i++) {
            Closing closing = ofKey.get(i);
            if (closing.lastFlight == STILL_OPEN && closing.ordinal <= ordinal) {
                ofKey.set(i, new Closing(closing.ordinal, newestFlight, closing.followed));
                liftings.add(new Lifting(newestFlight, key));
            }
        }
    }

    /**
     * This event is settled as dead and lets its key pass. If others went behind it, the key stays closed until the first of
     * them is settled and hands it over; otherwise nobody would.
     */
    void died(Utf8 key, long ordinal) {
        removeIf(key, c -> c.ordinal == ordinal && c.lastFlight == STILL_OPEN && !c.followed);
    }

    void settled(long flight) {
        while (!liftings.isEmpty() && liftings.getFirst().afterFlight <= flight) {
            removeIf(liftings.removeFirst().key, c -> c.lastFlight <= flight);
        }
    }

    private void removeIf(Utf8 key, Predicate<Closing> over) {
        closings.computeIfPresent(key, (k, ofKey) -> {
            ofKey.removeIf(over);
            return ofKey.isEmpty() ? null : ofKey;
        });
    }

    void clear() {
        closings.clear();
        liftings.clear();
    }
}
