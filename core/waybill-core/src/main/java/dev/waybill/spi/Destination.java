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
     * Sends the messages in this order and returns one answer for each, in the same order. Never blocks for long, never throws,
     * and always completes; the stage never fails. A destination that breaks this counts as unavailable, because some of the
     * messages may have been sent; the relay names it and backs off.
     *
     * <p>No message overtakes a failed one of its key that the caller has not seen: messages after a {@link Delivery.Retry} or
     * {@link Delivery.InDoubt} of their key are {@link Delivery.Behind}, and messages after an {@link Delivery.Unavailable}, of
     * any key, are unavailable too.
     *
     * @param seen which answers to earlier publishes the caller has processed
     */
    CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen);

    /**
     * Stops sending at once: unacknowledged messages complete as {@link Delivery.Unavailable}. A later publish starts with a new
     * connection, because the caller knows that everything before it has failed.
     */
    void abort();

    /** Sends the messages already published, then closes the connection. Never throws. */
    @Override
    void close();
}
