package dev.waybill.relay;

import dev.waybill.spi.Utf8;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Lets one event of each key be in flight at a time. Later events of the key wait in claim order. */
final class KeyTurns {
    private static final Queue<ClaimedEvent> NONE_WAITING = new ArrayDeque<>(0);

    /** Keys with an event in flight, and the events waiting behind it. */
    private final Map<Utf8, Queue<ClaimedEvent>> lines = new HashMap<>();

    /** @return whether the event can be sent now; otherwise it waits */
    boolean enter(ClaimedEvent event) {
        Utf8 key = event.orderKey();
        Queue<ClaimedEvent> line = lines.putIfAbsent(key, NONE_WAITING);
        if (line == null) {
            return true;
        }
        if (line == NONE_WAITING) {
            line = new ArrayDeque<>(4);
            lines.put(key, line);
        }
        line.add(event);
        return false;
    }

    /**
     * The event in flight was answered or will not be sent.
     *
     * @return the next event of the key, or null if none waits
     */
    @Nullable ClaimedEvent leave(ClaimedEvent event) {
        Utf8 key = event.orderKey();
        Queue<ClaimedEvent> line = lines.get(key);
        ClaimedEvent next = line == null ? null : line.poll();
        if (next == null) {
            lines.remove(key);
        }
        return next;
    }

    void clear() {
        lines.clear();
    }
}
