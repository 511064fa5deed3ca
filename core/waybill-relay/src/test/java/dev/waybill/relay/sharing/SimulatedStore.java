package dev.waybill.relay.sharing;

import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.Entry;
import dev.waybill.spi.ProcessRegister.Reading;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Leases and announcements of one store, on a manual clock. */
final class SimulatedStore {
    private final LongSupplier clock;
    private final Map<RelayName, Held> leases = new HashMap<>();
    private final Map<OwnerId, Announced> processes = new HashMap<>();

    private record Held(OwnerId owner, long until) {}

    private record Announced(Entry entry, long until) {}

    SimulatedStore(LongSupplier clock) {
        this.clock = clock;
    }

    boolean take(RelayName relay, OwnerId owner, Duration lease) {
        boolean free = holder(relay).map(owner::equals).orElse(true);
        if (free) {
            leases.put(relay, new Held(owner, clock.getAsLong() + lease.toNanos()));
        }
        return free;
    }

    void release(RelayName relay) {
        leases.remove(relay);
    }

    Optional<OwnerId> holder(RelayName relay) {
        return Optional.ofNullable(leases.get(relay))
                .filter(held -> held.until() - clock.getAsLong() > 0)
                .map(Held::owner);
    }

    void announce(Entry entry, Duration validFor) {
        processes.put(entry.process(), new Announced(entry, clock.getAsLong() + validFor.toNanos()));
    }

    Reading read() {
        long now = clock.getAsLong();
        List<Entry> live = processes.values().stream()
                .filter(announced -> announced.until() - now > 0)
                .map(Announced::entry)
                .toList();
        Map<RelayName, OwnerId> holders = new HashMap<>();
        leases.keySet().forEach(relay -> holder(relay).ifPresent(owner -> holders.put(relay, owner)));
        return new Reading(live, holders);
    }
}
