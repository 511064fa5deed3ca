package dev.waybill.bench.pipes;

/** A way to send the backlog to the broker. */
public interface Contender extends AutoCloseable {
    String name();

    /** Prepares a drain; not measured. */
    void prepare() throws Exception;

    /** Sends everything that it has not sent since the preparation, until it is acknowledged; measured. */
    void drain() throws Exception;

    /** Cleans up after a drain; not measured. */
    void putAway();

    @Override
    void close();
}
