package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.table.rows.TablePosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How far back to read on PostgreSQL.
 *
 * <p><b>Why read back.</b> Rows become visible when their transactions commit, not in the order of their sequence or time.
 * Suppose T1 appends row 50 and stays open; the reader is at 100; T1 commits; then T2, of the same key, appends row 110 and
 * commits. A reader that continues from 100 would return T2's row before T1's, and never return T1's. So a page must start
 * below everything that became visible since the page before it.
 *
 * <p><b>Why not always far back.</b> While a transaction holds back the horizon, the index entries of published rows are not
 * removed, and a page that starts far back reads all of them.
 *
 * <p><b>What is remembered.</b> Each poll returns its snapshot, which says which transactions have ended, and the next xid.
 * Transactions between the next xids of two polls began between those polls, so their rows lie above the <i>floor</i> of the
 * earlier poll: the head of the table some time before it. (Some time, because a row can get its number or time just before its
 * transaction gets its xid.) For each such range of xids the open transactions are counted in this snapshot and the last. If
 * there are fewer now, one has ended: rows may have become visible above the floor of the range, and the next page starts there. The poll
 * comes <em>after</em> its page, so transactions whose rows are in the page have also ended in the poll. If the poll sends the
 * reader back, the page is dropped.
 *
 * <p>So a transaction left open costs nothing, short transactions cost a short look back, and a long one costs one long look
 * back when it ends. A reader far behind the head never goes back for transactions at the head. Subtransactions count as ended
 * at once, but their parent has a lower floor and ends later. The session's own fenced transactions do not count, since they
 * make no rows visible. They are known before they end, so both counts leave out the same ones.
 *
 * <p><b>Times before the floor.</b> A {@code created_at} that is the start of its transaction (a default of {@code now()}) can
 * lie far below the floor. No order is promised for such rows, but they should not wait for the sweep. So once a second, or
 * less often if it is slow, the reader goes back ten minutes if transactions have ended.
 */
final class SnapshotLookBack implements LookBack {
    private static final long SEQUENCE_SLACK_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long TIME_SLACK_MICROS = Duration.ofSeconds(2).toMillis() * 1_000;
    private static final long WIDE_MICROS = Duration.ofMinutes(10).toMillis() * 1_000;
    private static final long WIDE_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int WIDE_SHARE = 20;

    private final boolean numbered;
    private final LongSupplier nanoTime;
    private final SequenceHistory heads;

    private List<Range> open = new ArrayList<>();
    private long seenNext;
    private long seenFloor = TablePosition.START.value();
    private Snapshot last = Snapshot.NOTHING;
    private final Set<Long> own = ConcurrentHashMap.newKeySet();
    private boolean endedSinceWide;
    private boolean lookedWide;
    private long wideNotBefore;

    /** Transactions that began between two polls. */
    private record Range(long from, long to, long floor) {
        boolean has(long transaction) {
            return from <= transaction && transaction < to;
        }
    }

    /** @param numbered whether rows are ordered by a sequence; otherwise by time */
    SnapshotLookBack(boolean numbered, LongSupplier nanoTime) {
        this.numbered = numbered;
        this.nanoTime = nanoTime;
        this.heads = new SequenceHistory(SEQUENCE_SLACK_NANOS);
        this.wideNotBefore = nanoTime.getAsLong();
    }

    @Override
    public void own(long transaction) {
        own.add(transaction);
    }

    @Override
    public long low(TablePoll poll, TablePosition reached, long readNanos) {
        Snapshot snapshot = poll.snapshot().orElseThrow();
        long low = NOT_BACK;
        List<Range> stillOpen = new ArrayList<>();
        List<Range> known = open;
        known.add(new Range(seenNext, poll.nextXid(), seenFloor));
        // Another thread may add to them meanwhile, but both counts must leave out the same ones.
        Set<Long> ours = Set.copyOf(own);
        for (Range range : known) {
            long notEnded = notEnded(snapshot, range, ours);
            if (notEnded < notEnded(last, range, ours)) {
                low = Math.min(low, range.floor());
            }
            if (notEnded > 0) {
                stillOpen.add(range);
            }
        }
        open = stillOpen;
        last = snapshot;
        seenNext = poll.nextXid();
        forget(ours);
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

    /** Keeps those that are in a range that is still open, or in the next one. */
    private void forget(Set<Long> ours) {
        for (Long transaction : ours) {
            if (transaction < seenNext && open.stream().noneMatch(range -> range.has(transaction))) {
                own.remove(transaction);
            }
        }
    }

    /** How many transactions of the range have not ended, without our own. The snapshot counts none from xmax on as ended. */
    private static long notEnded(Snapshot snapshot, Range range, Set<Long> ours) {
        long unknown = Math.max(0, range.to() - Math.max(range.from(), snapshot.xmax()));
        int first = place(snapshot.inProgress(), range.from());
        int behind = place(snapshot.inProgress(), range.to());
        long own = ours.stream()
                .filter(transaction -> range.has(transaction) && !snapshot.sees(transaction))
                .count();
        return unknown + behind - first - own;
    }

    private static int place(long[] ascending, long xid) {
        int found = Arrays.binarySearch(ascending, xid);
        return found < 0 ? -found - 1 : found;
    }
}
