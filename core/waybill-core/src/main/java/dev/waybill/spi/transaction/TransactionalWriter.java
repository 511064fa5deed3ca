package dev.waybill.spi.transaction;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.OutboundMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/**
 * Sends messages in transactions, one after the other. A transaction begins with the first message after the last one ended. When
 * a method throws, it is not known whether the transaction was committed: close the writer, and open another, which knows.
 *
 * <p>One thread.
 */
public interface TransactionalWriter extends AutoCloseable {
    /** The position that was committed last before this writer was opened; empty if there is none. */
    Optional<String> committed();

    /**
     * Sends the messages in this order, in the current transaction, and returns one answer for each. Blocks while too much is
     * in flight. A message that was not delivered makes the transaction fail: abort it. Of such a message, the answer is
     *
     * <ul>
     *   <li>{@link Delivery.Refused} if it can never be delivered;
     *   <li>{@link Delivery.Retry} if it may be later, and others may be before;
     *   <li>{@link Delivery.Behind} if it failed because of another message;
     *   <li>{@link Delivery.Unavailable} if the destination is unavailable: close the writer.
     * </ul>
     *
     * @param behind the position behind a message of the batch, by its index. For destinations that may commit the first messages
     *     of a transaction alone; it holds only once {@link #commit} was called
     */
    CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, IntFunction<WindowPosition> behind);

    /**
     * Commits what was sent, together with the position. Every message must be delivered.
     *
     * @throws DestinationUnavailableException if it may not have been committed
     */
    void commit(String position);

    /**
     * Ends the current transaction: nobody will see what was sent.
     *
     * @throws DestinationUnavailableException if the writer cannot be used any more
     */
    void abort();

    /** Closes the connection. An open transaction is aborted, here or by the next writer. Never throws. */
    @Override
    void close();
}
