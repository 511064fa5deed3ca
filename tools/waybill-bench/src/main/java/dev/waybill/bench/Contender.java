package dev.waybill.bench;

/** One way to bring the backlog to the broker. */
interface Contender extends AutoCloseable {
    String name();

    /** What must be so before a drain, and is not measured. */
    void prepare() throws Exception;

    /** Brings all of it, acknowledged: this is what is measured. */
    void drain() throws Exception;

    /** Ends what a drain began and the next one does not need. */
    void putAway();

    @Override
    void close();
}
