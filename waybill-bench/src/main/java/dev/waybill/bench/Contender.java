package dev.waybill.bench;

/** One way to bring the backlog to Kafka. */
interface Contender extends AutoCloseable {
    String name();

    /** Brings all of it, acknowledged. */
    void drain() throws Exception;

    @Override
    void close();
}
