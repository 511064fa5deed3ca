package dev.waybill.spring.test;

import dev.waybill.Event;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.append.DomainEvents;
import dev.waybill.spring.boot.append.Refusal;
import dev.waybill.spring.test.AppendedEvents.Appended;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An outbox in memory. It refuses an event without a transaction, and in a read-only one, as the real one does; a rollback takes
 * its events back. It accepts any transaction manager, and does not notice that a transaction has ended.
 */
public final class InMemoryOutbox implements SpringOutbox {
    private final String store;
    private final DomainEvents domainEvents;
    private final AppendedEvents appended;

    InMemoryOutbox(String store, DomainEvents domainEvents, AppendedEvents appended) {
        this.store = store;
        this.domainEvents = domainEvents;
        this.appended = appended;
    }

    /** Makes the bean; called by the container. */
    static SpringOutbox create(String store, DomainEvents domainEvents, AppendedEvents appended) {
        return new InMemoryOutbox(store, domainEvents, appended);
    }

    @Override
    public void appendAll(Collection<?> events) {
        requireTransaction();
        add(domainEvents.toEvents(events));
    }

    @Override
    public int appendIfAbsent(Event... events) {
        requireTransaction();
        Set<String> known = appended.in(store).stream().map(Event::id).collect(Collectors.toSet());
        List<Event> added =
                Arrays.stream(events).filter(event -> known.add(event.id())).toList();
        add(domainEvents.toEvents(added));
        return added.size();
    }

    List<Event> events() {
        return appended.in(store);
    }

    private void requireTransaction() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw Refusal.NO_TRANSACTION.on(store);
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw Refusal.READ_ONLY.on(store);
        }
    }

    private void add(List<Event> events) {
        List<Appended> added =
                events.stream().map(event -> new Appended(store, event)).toList();
        appended.add(added);
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                if (status == STATUS_ROLLED_BACK) {
                    appended.remove(added);
                }
            }
        });
    }
}
