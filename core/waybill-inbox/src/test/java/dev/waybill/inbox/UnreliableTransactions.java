package dev.waybill.inbox;

import dev.waybill.Transactions;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsAwayException;
import dev.waybill.tck.memory.InMemoryInbox;

/** Transactions that fail when a test wants them to. */
final class UnreliableTransactions implements Transactions<InMemoryInbox.Transaction> {
    private final InMemoryInbox inbox;
    /** Whether there are none now. */
    boolean away;
    /** How many more lose against another. */
    int conflicts;
    /** How many were asked for. */
    int calls;

    UnreliableTransactions(InMemoryInbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public <R, E extends Exception> R call(Work<InMemoryInbox.Transaction, R, E> work) throws E {
        calls++;
        if (away) {
            throw new TransactionsAwayException("The database is away.", new IllegalStateException());
        }
        if (conflicts > 0) {
            conflicts--;
            throw new TransactionConflictException("Another was first.", new IllegalStateException());
        }
        return inbox.call(work);
    }
}
