package dev.waybill.postgres;

import dev.waybill.jdbc.kernel.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * How far a relay has come: everything visible in {@code base}, and of the events visible in {@code target} but not in
 * {@code base} those up to {@code seq}. Between two windows there is no target.
 *
 * @param high no event of the window has a higher seq; meaningless without a target
 */
record JournalPosition(Point base, @Nullable Point target, long high, long seq) {
    static final JournalPosition BEGINNING = atEndOf(new Point(Snapshot.NOTHING, Snapshot.NOTHING.xmax(), 0));

    /**
     * A snapshot with what is needed to read on from it.
     *
     * @param next the next xid to be given out when the snapshot was taken, or soon after: a transaction with this xid or a
     *     higher one had not begun to write
     * @param floor a seq that had been given out before {@code next} was read: events of such transactions lie above it
     */
    record Point(Snapshot snapshot, long next, long floor) {}

    static JournalPosition atEndOf(Point base) {
        return new JournalPosition(base, null, 0, 0);
    }

    /** No seq that the position speaks of is higher. */
    long highestSeq() {
        long reached = Math.max(base.floor(), seq);
        return target == null ? reached : Math.max(reached, Math.max(target.floor(), high));
    }

    JournalPosition at(long newSeq) {
        return new JournalPosition(base, target, high, newSeq);
    }
}
