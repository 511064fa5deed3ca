package dev.waybill.tck.memory;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Outbox;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import java.time.InstantSource;
import java.util.List;

/**
 * An in-memory outbox for tests.
 *
 * <pre>{@code
 * InMemoryOutbox outbox = new InMemoryOutbox();
 * try (InMemoryTransaction tx = outbox.begin()) {
 *     outbox.append(tx, placed);
 *     tx.commit();
 * }
 * assertThat(outbox.committed()).containsExactly(placed);
 * }</pre>
 *
 * Safe for use by many threads.
 */
public final class InMemoryOutbox implements Outbox<InMemoryTransaction> {
    private final Ledger ledger;
    private final EventStore store;
    private final StoreAdmin admin;

    public InMemoryOutbox() {
        this(InstantSource.system());
    }

    /**
     * @param clock clock for events, retries and leases
     */
    public InMemoryOutbox(InstantSource clock) {
        this.ledger = new Ledger(clock);
        this.store = new MemoryStore(ledger);
        this.admin = new MemoryAdmin(ledger);
    }

    /** Begins a transaction; it ends with its commit, its rollback, or its close. */
    public InMemoryTransaction begin() {
        return new InMemoryTransaction(ledger);
    }

    @Override
    public void append(InMemoryTransaction transaction, List<Event> events) {
        ours(transaction).append(events);
    }

    @Override
    public int appendIfAbsent(InMemoryTransaction transaction, List<Event> events) {
        return ours(transaction).appendIfAbsent(events);
    }

    /** Events of committed transactions that retention has not deleted, in commit order. */
    public List<Event> committed() {
        synchronized (ledger) {
            return ledger.after(0).stream().map(MemoryEvent::event).toList();
        }
    }

    public EventStore store() {
        return store;
    }

    public StoreAdmin admin() {
        return admin;
    }

    public ReplayAdmin replays() {
        return new MemoryReplays(ledger);
    }

    private InMemoryTransaction ours(InMemoryTransaction transaction) {
        if (!transaction.isOn(ledger)) {
            throw new InvalidEventException(
                    "The transaction belongs to another in-memory outbox: begin it with begin() of this one.");
        }
        return transaction;
    }
}
