package dev.waybill.spring;

import dev.waybill.Inbox.Outcome;
import dev.waybill.InboxException;
import dev.waybill.Incoming;

/**
 * Makes the effect of a received event happen once, for listeners of other frameworks: the event's id is recorded in the
 * transaction of the effect. The current Spring transaction is joined, or a new one is opened. There is a bean for the store
 * {@code main}, or for the only one; {@link #of} gives those of others. Safe for use by many threads.
 *
 * <pre>{@code
 * @KafkaListener(topics = "order.placed.v1")
 * void on(OrderPlaced event, @Header("event-id") String id) {
 *     inbox.handleOnce("stock", id, () -> stock.take(event));
 * }
 * }</pre>
 *
 * Acknowledge the message after the method has returned, and if the transaction is an outer one, after its commit.
 */
public interface SpringInbox {
    /**
     * Runs the effect unless this consumer has handled the event before.
     *
     * @param consumer the name of the consumer; every consumer of an event applies its own effect
     * @param eventId the same for every delivery of the event
     * @throws InboxException when the inbox could not be read or written; the transaction is rolled back
     */
    default Outcome handleOnce(String consumer, String eventId, Runnable effect) {
        return handleOnce(consumer, Incoming.event(eventId), effect);
    }

    /** Like {@link #handleOnce(String, String, Runnable)}, for an event with a version or a type. */
    Outcome handleOnce(String consumer, Incoming event, Runnable effect);

    /** The inbox in the database of another store. */
    SpringInbox of(String store);
}
