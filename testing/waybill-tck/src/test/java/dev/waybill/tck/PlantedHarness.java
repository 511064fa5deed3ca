package dev.waybill.tck;

import dev.waybill.Event;
import dev.waybill.RelayName;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.Batch;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.memory.InMemoryHarness;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The in-memory store with a bug in its sessions or transactions. */
final class PlantedHarness implements StoreHarness {
    private final InMemoryHarness real = new InMemoryHarness();
    private final UnaryOperator<RelaySession> bug;
    private final boolean rollbackCommits;

    PlantedHarness(UnaryOperator<RelaySession> bug, boolean rollbackCommits) {
        this.bug = bug;
        this.rollbackCommits = rollbackCommits;
    }

    /** A session that delegates; bugs override single methods. */
    static class Session implements RelaySession {
        final RelaySession real;

        Session(RelaySession real) {
            this.real = real;
        }

        @Override
        public long epoch() {
            return real.epoch();
        }

        @Override
        public boolean renew() {
            return real.renew();
        }

        @Override
        public Optional<Batch> claim(Limits max) {
            return real.claim(max);
        }

        @Override
        public Optional<BesideClaims> besideClaims() {
            return Optional.of(
                    batch -> settle(batch, Collections.nCopies(batch.events().size(), Settlement.PUBLISHED)));
        }

        @Override
        public void settle(Batch batch, List<Settlement> inClaimOrder) {
            real.settle(batch, inClaimOrder);
        }

        /** Advances the position past the batch without parking any of its events. */
        void skip(Batch batch) {
            real.settle(batch, Collections.nCopies(batch.events().size(), Settlement.PUBLISHED));
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @Override
    public EventStore store() {
        EventStore store = real.store();
        return new EventStore() {
            @Override
            public boolean purge(Duration olderThan, int atMost) {
                return store.purge(olderThan, atMost);
            }

            @Override
            public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
                return store.open(relay, owner, lease).map(bug);
            }

            @Override
            public Optional<ProcessRegister> processes() {
                return store.processes();
            }
        };
    }

    @Override
    public boolean ordered() {
        return real.ordered();
    }

    @Override
    public boolean severalRelays() {
        return real.severalRelays();
    }

    @Override
    public Tx begin() {
        Tx tx = real.begin();
        return rollbackCommits ? new CommittingTx(tx) : tx;
    }

    private record CommittingTx(Tx tx) implements Tx {
        @Override
        public void append(Event... events) {
            tx.append(events);
        }

        @Override
        public int appendIfAbsent(Event... events) {
            return tx.appendIfAbsent(events);
        }

        @Override
        public void commit() {
            tx.commit();
        }

        @Override
        public void rollback() {
            tx.commit();
        }
    }

    @Override
    public StoreAdmin admin() {
        return real.admin();
    }

    @Override
    public ManualClock clock() {
        return real.clock();
    }

    @Override
    public Set<StoredField> keeps() {
        return real.keeps();
    }

    @Override
    public String aggregateId(String name) {
        return real.aggregateId(name);
    }

    @Override
    public void expireLease(RelayName relay) {
        real.expireLease(relay);
    }

    @Override
    public Optional<FaultInjection> faults() {
        return real.faults();
    }

    @Override
    public Optional<ForeignWorker> foreignWorker() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
