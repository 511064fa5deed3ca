package dev.waybill.spi.support;

import dev.waybill.spi.Settlement;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Keys that were closed while later events of them were in flight, each with the last batch of such events. Until that one is settled,
 * nothing stored says that they go behind, and an operator may discard the event that closed the key. Not thread-safe.
 *
 * @param <K> the key of an event, or what stands for it
 * @param <B> a batch, compared by identity
 */
public final class ClosedInFlight<K, B> {
    private final Map<K, B> until = new HashMap<>();

    /** The keys of those events whose outcomes close them. */
    public static <E, K> Set<K> closedBy(List<E> events, List<Settlement> outcomes, Function<E, K> key) {
        return IntStream.range(0, events.size())
                .filter(i -> Settlement.closesKey(outcomes.get(i)))
                .mapToObj(i -> key.apply(events.get(i)))
                .collect(Collectors.toSet());
    }

    /**
     * Keeps these keys closed while later events of them are in flight.
     *
     * @param inFlight oldest first, without the batch whose events closed the keys
     */
    public void close(Set<K> keys, Iterable<B> inFlight, Function<B, Stream<K>> keysOf) {
        if (keys.isEmpty()) {
            return;
        }
        for (B batch : inFlight) {
            keysOf.apply(batch).filter(keys::contains).forEach(key -> until.put(key, batch));
        }
    }

    /** @return whether keys are open again that it kept closed */
    public boolean settled(B batch) {
        return until.values().removeIf(last -> last == batch);
    }

    /** Nothing is in flight any more. */
    public void clear() {
        until.clear();
    }

    /** A view. */
    public Set<K> keys() {
        return Collections.unmodifiableSet(until.keySet());
    }
}
