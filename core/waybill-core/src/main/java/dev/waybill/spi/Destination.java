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
     * Sends the messages in this order and tells what became of each, in the same order. Never blocks for long, never throws,
     * and always completes; the stage never fails.
     *
     * <p>Nothing passes a failure of its key that the caller has not seen: what follows a {@link Delivery.Retry} or {@link
     * Delivery.InDoubt} of its key is {@link Delivery.Behind}, and what follows an {@link Delivery.Unavailable}, of whatever
     * key, is unavailable too.
     *
     * @param seen which answers to earlier publishes the caller has taken in
     */
    CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen);

    /**
     * Stops sending at once: what is not yet acknowledged completes as {@link Delivery.Unavailable}. A later publish starts
     * with a new connection: the caller knows that everything before it has failed.
     */
    void abort();

    /** Sends what it has been given, then lets go of everything. Never throws. */
    @Override
    void close();
}
