package dev.waybill.table.relay;

import dev.waybill.table.rows.TablePosition;

/** Determines how far back rows may have become visible since the last page. See {@link SnapshotLookBack}. */
interface LookBack {
    /** No rows can have become visible before the last page. */
    long NOT_BACK = Long.MAX_VALUE;

    /** A transaction of this session, which makes no rows visible. Told before it ends, on any thread. */
    void own(long transaction);

    /**
     * @param poll taken after the last page was read
     * @param reached the highest position read so far
     * @param readNanos how long reading the last page took
     * @return the value after which rows may have become visible that the last page did not contain
     */
    long low(TablePoll poll, TablePosition reached, long readNanos);

    /**
     * As of the last poll, rows below this value that are not visible belong to transactions whose end {@link #low} will
     * detect. So a reader that has read everything need not start below it.
     */
    long floor();
}
