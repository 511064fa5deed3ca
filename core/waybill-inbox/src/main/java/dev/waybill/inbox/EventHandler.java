package dev.waybill.inbox;

import dev.waybill.format.ReceivedEvent;

/**
 * What a consumer does about an event. Called by several threads, for one event of a key at a time.
 *
 * @param <T> the transaction
 */
@FunctionalInterface
public interface EventHandler<T> {

    /**
     * @param transaction carries the effect and the inbox's record of it: commit and roll back are not the handler's to do
     * @throws PermanentFailureException when trying again is of no use
     * @throws Exception to be called again later, a few times
     */
    void handle(T transaction, ReceivedEvent event) throws Exception;
}
