package dev.waybill.inbox;

import dev.waybill.format.ReceivedEvent;

/**
 * Handles an event. Called by several threads, for one event of a key at a time.
 *
 * @param <T> the transaction
 */
@FunctionalInterface
public interface EventHandler<T> {

    /**
     * @param transaction contains the effect and the inbox's record of it; the handler must not commit or roll it back
     * @throws PermanentFailureException when a retry cannot succeed
     * @throws Exception to be retried as {@link ConsumerOptions#retry()} says
     */
    void handle(T transaction, ReceivedEvent event) throws Exception;
}
