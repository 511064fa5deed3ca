package dev.waybill.bench;

/** A way to send the backlog to the broker. */
interface Contender extends AutoCloseable {
    String name();

    /** Prepares a drain; not measured. */
    void prepare() throws Exception;

    /** Sends everything until it is acknowledged; measured. */
    void drain() throws Exception;

    /** Cleans up after a drain; not measured. */
    void putAway();

    @Override
    void close();
}
