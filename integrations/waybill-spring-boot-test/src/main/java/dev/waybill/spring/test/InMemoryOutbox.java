package dev.waybill.spring.test;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.append.DomainEvents;
import dev.waybill.spring.boot.append.Refusal;
import dev.waybill.spring.boot.append.StoreLimits;
import dev.waybill.spring.test.AppendedEvents.Appended;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An outbox in memory. It refuses what the real one refuses: an event without a transaction, in a read-only one and after the
 * commit, an id that is there, and an event that the configured store cannot hold. A rollback, also to a savepoint, and a commit
 * that fails take its events back. It accepts any transaction manager.
 */
public final class InMemoryOutbox implements SpringOutbox {
    private final String store;
    private final DomainEvents domainEvents;
    private final AppendedEvents appended;
    private final StoreLimits limits;
    private final EndedTransactions ended;

    InMemoryOutbox(
            String store,
            DomainEvents domainEvents,
            AppendedEvents appended,
            StoreLimits limits,
            EndedTransactions ended) {
        this.store = store;
        this.domainEvents = domainEvents;
        this.appended = appended;
        this.limits = limits;
        this.ended = ended;
    }

    /** Makes the bean; called by the container. */
    static SpringOutbox create(
            String store,
            DomainEvents domainEvents,
            AppendedEvents appended,
            EndedTransactions ended,
            Environment environment,
            ListableBeanFactory beans) {
        boolean hasDataSource = beans.getBeanNamesForType(DataSource.class, true, false).length > 0;
        return new InMemoryOutbox(
                store, domainEvents, appended, StoreLimits.of(store, environment, hasDataSource), ended);
    }

    @Override
    public void appendAll(Collection<?> events) {
        if (events.isEmpty()) {
            return;
        }
        requireTransaction();
        List<Event> all = domainEvents.toEvents(events);
        limits.require(all);
        Set<String> known = ids();
        for (Event event : all) {
            if (!known.add(event.id())) {
                throw new DuplicateEventException("Could not append event " + event.id() + " (" + event.type()
                        + "): an event with the same id is already there. Roll the transaction back; if a repeat is harmless"
                        + " use appendIfAbsent.");
            }
        }
        add(all);
    }

    @Override
    public int appendIfAbsent(Event... events) {
        if (events.length == 0) {
            return 0;
        }
        requireTransaction();
        List<Event> all = domainEvents.toEvents(Arrays.asList(events));
        limits.require(all);
        Set<String> known = ids();
        List<Event> added = all.stream().filter(event -> known.add(event.id())).toList();
        add(added);
        return added.size();
    }

    private Set<String> ids() {
        return appended.in(store).stream().map(Event::id).collect(Collectors.toCollection(HashSet::new));
    }

    List<Event> events() {
        return appended.in(store);
    }

    private void requireTransaction() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw Refusal.NO_TRANSACTION.on(store);
        }
        if (ended.isCurrent() || !TransactionSynchronizationManager.isSynchronizationActive()) {
            throw Refusal.ENDED.on(store);
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw Refusal.READ_ONLY.on(store);
        }
    }

    private void add(List<Event> events) {
        List<Appended> added =
                events.stream().map(event -> new Appended(store, event)).toList();
        appended.add(added);
        TransactionSynchronizationManager.registerSynchronization(new TakesBack(added));
    }

    /** Takes events back when their transaction does not commit, or is rolled back to a savepoint from before the append. */
    private final class TakesBack implements TransactionSynchronization {
        private final List<Appended> added;
        /** A database may compare savepoints by their numbers, which are used again. */
        private final Set<Object> laterSavepoints = Collections.newSetFromMap(new IdentityHashMap<>());

        TakesBack(List<Appended> added) {
            this.added = added;
        }

        @Override
        public void savepoint(Object savepoint) {
            laterSavepoints.add(savepoint);
        }

        @Override
        public void savepointRollback(Object savepoint) {
            if (!laterSavepoints.contains(savepoint)) {
                appended.remove(added);
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED) {
                appended.remove(added);
            }
        }
    }
}
