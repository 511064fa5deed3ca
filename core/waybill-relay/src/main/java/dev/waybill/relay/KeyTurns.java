package dev.waybill.relay;

import dev.waybill.spi.Utf8;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Of each key one event has its turn, and later ones stand in line behind it, in the order of their claim. */
final class KeyTurns {
    private static final Queue<Seat> NOBODY_WAITS = new ArrayDeque<>(0);

    /** Keys of which one has its turn. */
    private final Map<Utf8, Queue<Seat>> lines = new HashMap<>();

    /** @return whether it is its turn now; else it stands in line */
    boolean enter(Seat seat) {
        Utf8 key = seat.orderKey();
        Queue<Seat> line = lines.putIfAbsent(key, NOBODY_WAITS);
        if (line == null) {
            return true;
        }
        if (line == NOBODY_WAITS) {
            line = new ArrayDeque<>(4);
            lines.put(key, line);
        }
        line.add(seat);
        return false;
    }

    /**
     * The one that had its turn has had it.
     *
     * @return whose turn it is now; nothing when the key is free
     */
    @Nullable Seat leave(Seat seat) {
        Utf8 key = seat.orderKey();
        Queue<Seat> line = lines.get(key);
        Seat next = line == null ? null : line.poll();
        if (next == null) {
            lines.remove(key);
        }
        return next;
    }

    void clear() {
        lines.clear();
    }
}
