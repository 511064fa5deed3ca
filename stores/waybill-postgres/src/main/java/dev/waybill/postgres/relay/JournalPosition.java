package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What a relay has published: everything visible in {@code base}, and the events up to {@code seq} that are visible in
 * {@code target} but not in {@code base}. Between two windows there is no target.
 *
 * @param high upper bound of the seqs in the window; meaningless without a target
 */
record JournalPosition(Point base, @Nullable Point target, long high, long seq) {
    static final JournalPosition BEGINNING = atEndOf(new Point(Snapshot.NOTHING, Snapshot.NOTHING.xmax(), 0));

    /**
     * A snapshot with the numbers that are needed to continue from it.
     *
     * @param next the next xid to be assigned when the snapshot was taken, or soon after: a transaction with this xid or a
     *     higher one had not begun to write
     * @param floor a seq that had been assigned before {@code next} was read: events of such transactions have higher ones
     */
    record Point(Snapshot snapshot, long next, long floor) {}

    static JournalPosition atEndOf(Point base) {
        return new JournalPosition(base, null, 0, 0);
    }

    /** The highest seq in the position. */
    long highestSeq() {
        long reached = Math.max(base.floor(), seq);
        return target == null ? reached : Math.max(reached, Math.max(target.floor(), high));
    }

    JournalPosition at(long newSeq) {
        return new JournalPosition(base, target, high, newSeq);
    }
}
