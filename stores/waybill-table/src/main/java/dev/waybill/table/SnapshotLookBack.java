package dev.waybill.table;

import dev.waybill.jdbc.kernel.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How far back to look on PostgreSQL.
 *
 * <p><b>Why look back at all.</b> Rows become visible when their transactions commit, not in the order of their sequence or
 * time. T1 appends 50 and stays open; the reader is at 100; T1 commits; T2, of the same key, sees that, appends 110 and
 * commits. Who reads on from 100 gives T2 before T1, and T1 never. So a page must begin below everything that became visible
 * since the page before it.
 *
 * <p><b>Why not far back each time.</b> While somebody holds the horizon, index entries of published rows stay, and a poll
 * that begins far behind walks over all of them.
 *
 * <p><b>What is remembered.</b> Each poll tells which transactions have ended (its snapshot) and the next xid. Transactions
 * between two polls' next xids began between them, so what they append lies above the <i>floor</i> of the earlier poll: the
 * head of the table a while before it. (A while, because a row can get its number or time just before its transaction gets its
 * xid.) Of such a range of xids only those that have not ended are kept, by number. When fewer of a range are open than
 * before, one has ended: rows may have appeared above the range's floor, and the next page begins there. The poll comes
 * <em>after</em> its page, so what the page shows had ended for the poll too; if that sends the reader back, it drops the page.
 *
 * <p>So a transaction left open costs nothing, short ones a narrow look back, a long one that ends one wide look. A reader far
 * behind the head never goes back for those that work there. Subtransactions count as ended at once, but their parent has a
 * lower floor and ends later. Our own are counted, and show nothing.
 *
 * <p><b>Times that lie.</b> A {@code created_at} that is the start of a transaction (a default of {@code now()}) can lie far
 * below the floor. No order is promised for such rows, but they should not wait for the sweep: after transactions have ended,
 * one look goes back ten minutes, once a second, or more rarely if it is slow.
 */
final class SnapshotLookBack implements LookBack {
    private static final long SEQUENCE_SLACK_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long TIME_SLACK_MICROS = Duration.ofSeconds(2).toMillis() * 1_000;
    private static final long WIDE_MICROS = Duration.ofMinutes(10).toMillis() * 1_000;
    private static final long WIDE_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int WIDE_SHARE = 20;

    private final boolean numbered;
    private final LongSupplier nanoTime;
    private final PastHeads heads;

    private List<Range> open = new ArrayList<>();
    private long seenNext;
    private long seenFloor = TablePosition.START.value();
    private long ownEnded;
    private boolean endedSinceWide;
    private boolean lookedWide;
    private long wideNotBefore;

    /** Transactions that began between two polls, and how many of them are open. */
    private record Range(long from, long to, long floor, long notEnded) {}

    /** @param numbered whether a sequence orders the rows; else it is their time */
    SnapshotLookBack(boolean numbered, LongSupplier nanoTime) {
        this.numbered = numbered;
        this.nanoTime = nanoTime;
        this.heads = new PastHeads(SEQUENCE_SLACK_NANOS);
        this.wideNotBefore = nanoTime.getAsLong();
    }

    @Override
    public void ownTransactionEnded() {
        ownEnded++;
    }

    @Override
    public long low(TablePoll poll, TablePosition reached, long readNanos) {
        Snapshot snapshot = poll.snapshot().orElseThrow();
        long low = NOT_BACK;
        List<Range> stillOpen = new ArrayList<>();
        List<Range> known = open;
        known.add(new Range(seenNext, poll.nextXid(), seenFloor, poll.nextXid() - seenNext - ownEnded));
        ownEnded = 0;
        for (Range range : known) {
            long notEnded = notEnded(snapshot, range);
            if (notEnded < range.notEnded()) {
                low = Math.min(low, range.floor());
            }
            if (notEnded > 0) {
                stillOpen.add(new Range(range.from(), range.to(), range.floor(), notEnded));
            }
        }
        open = stillOpen;
        seenNext = poll.nextXid();
        seenFloor = floor(poll, reached);
        endedSinceWide |= low != NOT_BACK;
        return numbered ? low : Math.min(low, wide(poll, readNanos));
    }

    @Override
    public long floor() {
        return seenFloor;
    }

    private long floor(TablePoll poll, TablePosition reached) {
        return numbered
                ? heads.before(nanoTime.getAsLong(), poll.lastSequence().orElse(reached.value()))
                : poll.clock() - TIME_SLACK_MICROS;
    }

    private long wide(TablePoll poll, long readNanos) {
        long now = nanoTime.getAsLong();
        if (lookedWide) {
            lookedWide = false;
            wideNotBefore = now + Math.max(WIDE_EVERY_NANOS, WIDE_SHARE * readNanos);
        }
        if (!endedSinceWide || now - wideNotBefore < 0) {
            return NOT_BACK;
        }
        endedSinceWide = false;
        lookedWide = true;
        return poll.clock() - WIDE_MICROS;
    }

    /** How many transactions of the range have not ended; above xmax nobody has, as far as the snapshot knows. */
    private static long notEnded(Snapshot snapshot, Range range) {
        long unknown = Math.max(0, range.to() - Math.max(range.from(), snapshot.xmax()));
        int first = place(snapshot.inProgress(), range.from());
        int behind = place(snapshot.inProgress(), range.to());
        return unknown + behind - first;
    }

    private static int place(long[] ascending, long xid) {
        int found = Arrays.binarySearch(ascending, xid);
        return found < 0 ? -found - 1 : found;
    }
}
