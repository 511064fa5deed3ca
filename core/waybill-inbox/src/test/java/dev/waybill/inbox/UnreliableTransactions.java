package dev.waybill.inbox;

import dev.waybill.Transactions;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;
import dev.waybill.tck.memory.InMemoryInbox;

/** Transactions that fail as a test requires. */
final class UnreliableTransactions implements Transactions<InMemoryInbox.Transaction> {
    private final InMemoryInbox inbox;
    /** Whether the database is unavailable. */
    boolean away;
    /** Number of further transactions that fail with a conflict. */
    int conflicts;
    /** Number of transactions started. */
    int calls;

    UnreliableTransactions(InMemoryInbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public <R, E extends Exception> R call(Work<InMemoryInbox.Transaction, R, E> work) throws E {
        calls++;
        if (away) {
            throw new TransactionsUnavailableException("The database is unavailable.", new IllegalStateException());
        }
        if (conflicts > 0) {
            conflicts--;
            throw new TransactionConflictException("A concurrent transaction was first.", new IllegalStateException());
        }
        return inbox.call(work);
    }
}
