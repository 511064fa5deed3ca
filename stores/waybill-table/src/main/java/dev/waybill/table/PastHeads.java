package dev.waybill.table;

import java.util.ArrayDeque;
import java.util.Deque;

/** Remembers how high a table's sequence was some time ago. */
final class PastHeads {
    private static final int MOST = 1_000;

    private final long agoNanos;
    private final Deque<Head> heads = new ArrayDeque<>();

    private record Head(long nanos, long value) {}

    PastHeads(long agoNanos) {
        this.agoNanos = agoNanos;
    }

    /** Takes in the head of now, and tells one that is old enough; the start, when none is. */
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
