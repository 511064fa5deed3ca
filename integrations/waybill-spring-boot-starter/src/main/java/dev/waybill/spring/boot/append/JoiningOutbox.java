package dev.waybill.spring.boot.append;

import dev.waybill.Event;
import dev.waybill.Outbox;
import dev.waybill.WakeSignal;
import dev.waybill.spring.SpringOutbox;
import java.util.Collection;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Appends in the transaction that is bound to the current thread: it asks for that transaction, inserts at once, and wakes the
 * relays of this process after the commit. An insert that waited for the commit would be lost in some phases of it.
 *
 * @param <T> what the store's outbox appends with
 */
final class JoiningOutbox<T> implements SpringOutbox {
    private final CurrentTransaction<T> current;
    private final Outbox<T> outbox;
    private final DomainEvents domainEvents;
    private final WakeSignal wake;

    JoiningOutbox(CurrentTransaction<T> current, Outbox<T> outbox, DomainEvents domainEvents, WakeSignal wake) {
        this.current = current;
        this.outbox = outbox;
        this.domainEvents = domainEvents;
        this.wake = wake;
    }

    @Override
    public void appendAll(Collection<?> events) {
        if (events.isEmpty()) {
            return;
        }
        T transaction = current.join();
        outbox.append(transaction, domainEvents.toEvents(events));
        wakeAfterCommit();
    }

    @Override
    public int appendIfAbsent(Event... events) {
        if (events.length == 0) {
            return 0;
        }
        T transaction = current.join();
        int added = outbox.appendIfAbsent(transaction, domainEvents.toEvents(List.of(events)));
        wakeAfterCommit();
        return added;
    }

    /** Registered once for a transaction: synchronizations are a set. */
    private void wakeAfterCommit() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new WakeAfterCommit(wake));
        }
    }

    @Override
    public String toString() {
        return "SpringOutbox[" + current + "]";
    }
}
