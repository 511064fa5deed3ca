package dev.waybill.table;

/** Knows how far back rows may have appeared since the last look. See {@link SnapshotLookBack}. */
interface LookBack {
    /** Nothing can have appeared before what was read. */
    long NOT_BACK = Long.MAX_VALUE;

    /** One of our own transactions has ended since the last poll: it has shown nothing. */
    void ownTransactionEnded();

    /**
     * @param poll taken after the last page was read
     * @param reached the highest value read so far
     * @param readNanos how long the last page took
     * @return the value after which rows may have appeared that the last page did not show
     */
    long low(TablePoll poll, TablePosition reached, long readNanos);

    /**
     * As of the last poll: what is not visible up to here belongs to transactions that {@link #low} will tell of. So a reader
     * that has seen all there was need not begin before it, though it has met no row for long.
     */
    long floor();
}
