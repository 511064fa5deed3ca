package dev.waybill.relay.sharing;

import dev.waybill.RelayName;
import dev.waybill.relay.sharing.StoreView.Peer;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.Entry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** How many relays each other process runs, by its newest announcement in any store. */
final class Loads {
    private final Map<OwnerId, Entry> newest = new HashMap<>();

    static Loads of(Collection<StoreView> stores, long now) {
        Loads loads = new Loads();
        for (StoreView store : stores) {
            for (Peer peer : store.peers(now)) {
                loads.newest.merge(peer.entry().process(), peer.entry(), (a, b) -> a.beat() >= b.beat() ? a : b);
            }
        }
        return loads;
    }

    int of(OwnerId process) {
        Entry entry = newest.get(process);
        return entry == null ? 0 : entry.held();
    }

    long beat(OwnerId process) {
        Entry entry = newest.get(process);
        return entry == null ? 0 : entry.beat();
    }

    boolean isAnyAtLeast(int load) {
        return newest.values().stream().anyMatch(entry -> entry.held() >= load);
    }

    /** Whether no other process runs more; of those that run as many, one is the busiest. */
    boolean isBusiest(OwnerId self, int load) {
        return newest.values().stream()
                .allMatch(entry -> entry.held() < load
                        || (entry.held() == load && entry.process().value().compareTo(self.value()) < 0));
    }

    /** A process's rank for a relay, random but the same everywhere. */
    static long rank(OwnerId process, RelayName relay) {
        long mixed = (process.value() + ' ' + relay.value()).hashCode() * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xBF58476D1CE4E5B9L;
        return mixed ^ (mixed >>> 29);
    }
}
