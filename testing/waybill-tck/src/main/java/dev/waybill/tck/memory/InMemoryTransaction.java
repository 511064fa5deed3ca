package dev.waybill.tck.memory;

import dev.waybill.AppendException;
import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.NoTransactionException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A transaction of an {@link InMemoryOutbox}: its events are there for everybody, in order, once it commits. */
public final class InMemoryTransaction implements AutoCloseable {
    private final Ledger ledger;
    private final List<Ledger.Entry> entries = new ArrayList<>();
    private boolean ended;

    InMemoryTransaction(Ledger ledger) {
        this.ledger = ledger;
    }

    boolean isOn(Ledger other) {
        return ledger == other;
    }

    void append(List<Event> events) {
        synchronized (ledger) {
            requireOpen();
            Set<String> given = new HashSet<>();
            for (Event event : events) {
                if (!given.add(event.id()) || isThere(event)) {
                    throw new DuplicateEventException("An event with the id " + event.id()
                            + " is already in the outbox; none of these " + events.size()
                            + " was appended. Use appendIfAbsent to pass over what is there.");
                }
            }
            events.forEach(this::enter);
        }
    }

    int appendIfAbsent(List<Event> events) {
        synchronized (ledger) {
            requireOpen();
            int before = entries.size();
            for (Event event : events) {
                if (!isThere(event)) {
                    enter(event);
                }
            }
            return entries.size() - before;
        }
    }

    public void commit() {
        synchronized (ledger) {
            requireOpen();
            ledger.commit(entries);
            ended = true;
        }
    }

    /** Takes back what was appended; does nothing when the transaction has ended. */
    public void rollback() {
        synchronized (ledger) {
            if (!ended) {
                ledger.forget(entries);
                ended = true;
            }
        }
    }

    /** Rolls back, unless the transaction has ended. */
    @Override
    public void close() {
        rollback();
    }

    private void enter(Event event) {
        entries.add(ledger.enter(event));
    }

    /** A database would wait for the other transaction here; one thread that holds both would wait for ever. */
    private boolean isThere(Event event) {
        boolean ownEntry = entries.stream().anyMatch(entry -> entry.event().id().equals(event.id()));
        if (!ownEntry && ledger.isInOpenTransaction(event.id())) {
            throw new AppendException("The event " + event.id()
                    + " was appended in another transaction that is still open: end that one first, then try again.");
        }
        return ownEntry || ledger.find(event.id()).isPresent();
    }

    private void requireOpen() {
        if (ended) {
            throw new NoTransactionException("The transaction has ended: begin another with InMemoryOutbox.begin().");
        }
    }
}
