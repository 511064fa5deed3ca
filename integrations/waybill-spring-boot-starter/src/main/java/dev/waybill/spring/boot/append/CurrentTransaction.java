package dev.waybill.spring.boot.append;

import dev.waybill.NoTransactionException;

/**
 * Finds the transaction of the current thread on one store.
 *
 * @param <T> what the store's outbox appends with
 */
interface CurrentTransaction<T> {
    /**
     * Returns the open transaction, with everything written that the application changed before.
     *
     * @throws NoTransactionException if there is none in which an event could be stored; the message names the remedy
     */
    T join();
}
