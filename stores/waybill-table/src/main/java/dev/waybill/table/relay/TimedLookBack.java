package dev.waybill.table.relay;

import dev.waybill.table.rows.TablePosition;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Always goes back ten minutes, on databases that do not tell which transactions have ended. A transaction that stays open
 * longer may be overtaken by others of its key; the sweep still finds its rows.
 */
final class TimedLookBack implements LookBack {
    private static final Duration BACK = Duration.ofMinutes(10);

    private final boolean numbered;
    private final LongSupplier nanoTime;
    private long floor = TablePosition.START.value();
    private final SequenceHistory heads = new SequenceHistory(BACK.toNanos());

    TimedLookBack(boolean numbered, LongSupplier nanoTime) {
        this.numbered = numbered;
        this.nanoTime = nanoTime;
    }

    /** It makes no difference, since this always looks back. */
    @Override
    public void own(long transaction) {}

    @Override
    public long low(TablePoll poll, TablePosition reached, long readNanos) {
        floor = numbered ? heads.before(nanoTime.getAsLong(), reached.value()) : poll.clock() - BACK.toMillis() * 1_000;
        return floor;
    }

    @Override
    public long floor() {
        return floor;
    }
}
