package dev.waybill.table.relay;

import dev.waybill.table.rows.TablePosition;
import java.util.ArrayDeque;
import java.util.Deque;

/** Remembers the highest number of a table over a period of time. */
final class SequenceHistory {
    private static final int MOST = 1_000;

    private final long agoNanos;
    private final Deque<Head> heads = new ArrayDeque<>();

    private record Head(long nanos, long value) {}

    SequenceHistory(long agoNanos) {
        this.agoNanos = agoNanos;
    }

    /**
     * Records the current value.
     *
     * @return a value that is old enough, or the start if there is none
     */
    long before(long nanos, long head) {
        @org.jspecify.annotations.Nullable Head last = heads.peekLast();
        if (last == null || nanos - last.nanos() >= agoNanos / MOST) {
            heads.addLast(new Head(nanos, head));
        }
        long value = TablePosition.START.value();
        Head oldest = heads.getFirst();
        while (nanos - oldest.nanos() >= agoNanos) {
            value = oldest.value();
            heads.removeFirst();
            if (heads.isEmpty() || nanos - heads.getFirst().nanos() < agoNanos) {
                heads.addFirst(oldest);
                return value;
            }
            oldest = heads.getFirst();
        }
        return value;
    }
}
