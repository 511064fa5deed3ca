package dev.waybill.kafka;

import dev.waybill.spi.Utf8;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Keys that one of theirs was answered Retry for. What follows in such a key is answered Behind, or it would overtake; once
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

    void close(Utf8 key, Utf8 eventId, long batch) {
        Answered answered = closed.computeIfAbsent(key, k -> new Answered());
        answered.eventIds.add(eventId);
        answered.lastBatch = batch;
    }

    /** Whether a message must stay behind. One that was answered before opens its key. */
    boolean holdsBack(Utf8 key, Utf8 eventId) {
        Answered answered = closed.get(key);
        if (answered == null) {
            return false;
        }
        if (answered.eventIds.contains(eventId)) {
            closed.remove(key);
            return false;
        }
        return true;
    }

    void relayHasSeenBatchesBelow(long number) {
        if (!closed.isEmpty()) {
            closed.values().removeIf(answered -> answered.lastBatch < number);
        }
    }

    private static final class Answered {
        private final Set<Utf8> eventIds = new HashSet<>();
        private long lastBatch;
    }
}
