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
 * Keys with a failed event while later ones were already claimed. The store closes a key from the settlement on; for batches
 * claimed before that, the relay does. Never holds more keys than events are in flight.
 */
final class ClosedKeys {
    private static final long STILL_OPEN = Long.MAX_VALUE;

    private final Map<Utf8, List<Closing>> closings = new HashMap<>();
    private final Deque<Lifting> liftings = new ArrayDeque<>();

    /**
     * @param ordinal which event closed the key
     * @param lastBatch the key is closed for batches up to this one
     * @param followed whether another event has gone behind it
     */
    private record Closing(long ordinal, long lastBatch, boolean followed) {}

    private record Lifting(long afterBatch, Utf8 key) {}

    boolean isEmpty() {
        return closings.isEmpty();
    }

    /** How many keys are closed. */
    int size() {
        return closings.size();
    }

    /** The event with this ordinal is retried or holds its key; later events of the key must wait behind it. */
    void close(Utf8 key, long ordinal, long batch) {
        if (goesBehind(key, ordinal, batch)) {
            // It waits behind an earlier event itself, so its closing would never be handed over.
            return;
        }
        List<Closing> ofKey = closings.computeIfAbsent(key, k -> new ArrayList<>(1));
        boolean followed = ofKey.removeIf(c -> c.lastBatch == STILL_OPEN);
        ofKey.add(new Closing(ordinal, STILL_OPEN, followed));
    }

    /** Whether an event before this one closed the key for its batch. */
    boolean isClosedFor(Utf8 key, long ordinal, long batch) {
        return closings.getOrDefault(key, List.of()).stream()
                .anyMatch(c -> c.ordinal < ordinal && batch <= c.lastBatch);
    }

    /** Like {@link #isClosedFor}, for an event that will wait behind the earlier one. */
    boolean goesBehind(Utf8 key, long ordinal, long batch) {
        if (!isClosedFor(key, ordinal, batch)) {
            return false;
        }
        closings.getOrDefault(key, List.of())
                .replaceAll(c -> c.ordinal < ordinal ? new Closing(c.ordinal, c.lastBatch, true) : c);
        return true;
    }

    /** This event is parked or holds the key: for batches claimed from now on, the store keeps the key closed. */
    void handOver(Utf8 key, long ordinal, long newestBatch) {
        List<Closing> ofKey = closings.getOrDefault(key, List.of());
        for (int i = 0; i < ofKey.size(); i++) {
            Closing closing = ofKey.get(i);
            if (closing.lastBatch == STILL_OPEN && closing.ordinal <= ordinal) {
                ofKey.set(i, new Closing(closing.ordinal, newestBatch, closing.followed));
                liftings.add(new Lifting(newestBatch, key));
            }
        }
    }

    /**
     * This event is settled as dead and does not hold its key. If others wait behind it, the key stays closed until the first of
     * them is settled and hands it over to the store.
     */
    void died(Utf8 key, long ordinal) {
        removeIf(key, c -> c.ordinal == ordinal && c.lastBatch == STILL_OPEN && !c.followed);
    }

    void settled(long batch) {
        while (!liftings.isEmpty() && liftings.getFirst().afterBatch <= batch) {
            removeIf(liftings.removeFirst().key, c -> c.lastBatch <= batch);
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
