package dev.waybill.tck.memory;

import dev.waybill.RelayName;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The outbox as relays see it. */
final class MemoryStore implements EventStore {
    private final Ledger ledger;

    MemoryStore(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return new MemoryAdmin(ledger).purge(olderThan, atMost).more();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        synchronized (ledger) {
            ledger.droppedBy(relay).ifPresent(by -> {
                throw new StoreRefusedException("Relay " + relay + " cannot read this store: " + by.who()
                        + " dropped it (" + by.why() + "). To begin it anew on purpose: StoreAdmin.restore.");
            });
            RelayState state = ledger.relayOrNew(relay);
            if (state.replay().isPresent()) {
                throw new StoreRefusedException(
                        "Relay " + relay + " cannot read this store: its name is that of a replay,"
                                + " which sends only what it was started for. Give this relay another name, or drop the replay.");
            }
            return open(ledger, state, owner, lease);
        }
    }

    @Override
    public Optional<ProcessRegister> processes() {
        return Optional.of(ledger.processes());
    }

    /** Called with the ledger's monitor held. */
    static Optional<RelaySession> open(Ledger ledger, RelayState state, OwnerId owner, Duration lease) {
        Instant now = ledger.now();
        if (!state.isFreeFor(owner, now, lease)) {
            return Optional.empty();
        }
        state.take(owner, now.plus(lease));
        return Optional.of(new MemorySession(ledger, state, owner, lease));
    }
}
