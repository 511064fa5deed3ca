package dev.waybill.tck.memory;

import dev.waybill.Event;
import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.ReplayHarness;
import dev.waybill.tck.StoredField;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.FaultyCalls;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

public final class InMemoryHarness implements ReplayHarness {
    private final ManualClock clock = new ManualClock();
    private final InMemoryOutbox outbox = new InMemoryOutbox(clock);
    private final FaultyCalls calls = new FaultyCalls();

    @Override
    public boolean ordered() {
        return true;
    }

    @Override
    public boolean severalRelays() {
        return true;
    }

    @Override
    public EventStore store() {
        return calls.faulty(EventStore.class, outbox.store());
    }

    @Override
    public ReplayAdmin replays() {
        return calls.faulty(ReplayAdmin.class, outbox.replays());
    }

    @Override
    public StoreAdmin admin() {
        return calls.faulty(StoreAdmin.class, outbox.admin());
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    @Override
    public Set<StoredField> keeps() {
        return EnumSet.allOf(StoredField.class);
    }

    @Override
    public String aggregateId(String name) {
        return name;
    }

    /** Longer than the contract's leases, and far shorter than its long retry times. */
    @Override
    public void expireLease(RelayName relay) {
        clock.advance(Duration.ofMinutes(2));
    }

    @Override
    public Optional<FaultInjection> faults() {
        return Optional.of(calls);
    }

    @Override
    public Optional<ForeignWorker> foreignWorker() {
        return Optional.empty();
    }

    @Override
    public void close() {}

    @Override
    public Tx begin() {
        InMemoryTransaction transaction = outbox.begin();
        return new Tx() {
            @Override
            public void append(Event... events) {
                outbox.append(transaction, events);
            }

            @Override
            public int appendIfAbsent(Event... events) {
                return outbox.appendIfAbsent(transaction, events);
            }

            @Override
            public void commit() {
                transaction.commit();
            }

            @Override
            public void rollback() {
                transaction.rollback();
            }
        };
    }
}
