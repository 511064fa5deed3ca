package dev.waybill;

import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;

/**
 * Runs a consumer's effects in transactions. Safe for use by many threads.
 *
 * @param <T> the transaction
 */
public interface Transactions<T> {

    /**
     * Runs the work in one transaction: committed when it returns, rolled back when it throws.
     *
     * @throws TransactionConflictException when it was rolled back by a conflict with another transaction; safe to retry
     * @throws TransactionsUnavailableException when the database is unavailable; whether anything was committed is unknown
     */
    <R, E extends Exception> R call(Work<T, R, E> work) throws E;

    /** For effects without a transaction, such as mail or a call to another service. */
    static Transactions<NoTransaction> none() {
        return new Transactions<>() {
            @Override
            public <R, E extends Exception> R call(Work<NoTransaction, R, E> work) throws E {
                return work.in(NoTransaction.NONE);
            }
        };
    }

    /** Work in a transaction. */
    @FunctionalInterface
    interface Work<T, R, E extends Exception> {
        R in(T transaction) throws E;
    }
}
