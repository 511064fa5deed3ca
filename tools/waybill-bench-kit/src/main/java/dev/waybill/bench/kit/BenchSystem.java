package dev.waybill.bench.kit;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;

/** A system that moves events from PostgreSQL to Kafka, as the bench drives it. Used by one thread, except for its appenders. */
public interface BenchSystem extends AutoCloseable {
    /** What is measured: version and settings, in one line. */
    String description();

    /**
     * Fills the system's outbox with the sample messages, repeated as often as needed, while nothing is sent. Events that an
     * earlier run left are gone.
     *
     * @param events 0 for an empty outbox
     */
    void prepare(int events) throws Exception;

    /** Begins to send; returns when it runs, not when it has sent something. */
    void start(String topic) throws Exception;

    /** Ends sending. What is sent is settled in the outbox. */
    void stop() throws Exception;

    /** The table that events are appended to; empty if none are. */
    Optional<String> outbox();

    /** What one client appends with; events are sent only between start and stop. */
    Appender appender() throws Exception;

    /** One client of the application. */
    interface Appender extends AutoCloseable {
        /** Commits one transaction with one row of business data and one event with the payload of this number. */
        void append(long number) throws Exception;

        @Override
        void close() throws SQLException;
    }

    @Override
    void close() throws IOException, SQLException;
}
