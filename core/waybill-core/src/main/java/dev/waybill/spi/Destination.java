package dev.waybill.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A connection to a broker, for one relay, replay or consumer ({@link DestinationOwner}). Safe for use by one relay thread; the
 * stages it returns complete on its own threads.
 */
public interface Destination extends AutoCloseable {
    Guarantees guarantees();

    /**
     * Sends the messages in this order and tells of each what became of it, in the same order. Never blocks for long, never
     * throws, and always completes; the stage never fails.
     *
     * <p>Between two publishes the relay takes in what has become of earlier batches, as far as it is complete without a gap:
     * a destination relies on it to know which failures the relay has seen. What is published before the relay can have seen
     * a {@link Delivery.Unavailable} is unavailable too, or it could overtake; {@link #abort()} says that it has seen it.
     */
    CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch);

    /**
     * Stops sending at once: what is not yet acknowledged completes as {@link Delivery.Unavailable}. A later publish starts
     * afresh.
     */
    void abort();

    /** Sends what it has been given, then lets go of everything. Never throws. */
    @Override
    void close();
}
