package dev.waybill.relay.sharing;

import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.Entry;
import dev.waybill.spi.ProcessRegister.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What this process last read of the processes and leases of one store. Guarded by its {@link Sharing}. */
final class StoreView {
    private final OwnerId self;
    private final long beganAt;
    private Duration lease;
    private boolean read;
    private long readAt;
    private Map<OwnerId, Peer> peers = Map.of();
    private Map<RelayName, List<Peer>> peersOfRelays = Map.of();
    private Map<RelayName, OwnerId> holders = Map.of();

    private @Nullable Entry announced;
    private long announcedAt;

    /** Another process. */
    record Peer(Entry entry, long seenSince) {}

    /** @param lease the shortest of the store's relays */
    StoreView(OwnerId self, Duration lease, long now) {
        this.self = self;
        this.lease = lease;
        this.beganAt = now;
    }

    void atMost(Duration other) {
        lease = lease.compareTo(other) <= 0 ? lease : other;
    }

    /** The shortest of its relays. */
    Duration lease() {
        return lease;
    }

    void announced(Entry entry, long now) {
        announced = entry;
        announcedAt = now;
    }

    /** Whether the same was announced not long ago. */
    boolean knows(Entry entry, long now) {
        Entry last = announced;
        return last != null
                && last.held() == entry.held()
                && last.relays().equals(entry.relays())
                && now - announcedAt < lease.toNanos() / 5;
    }

    /** @return whether a process came or went, or a lease changed hands */
    boolean see(Reading reading, long now) {
        Map<OwnerId, Peer> seen = new HashMap<>();
        for (Entry entry : reading.processes()) {
            if (!entry.process().equals(self)) {
                Peer before = peers.get(entry.process());
                seen.put(entry.process(), new Peer(entry, before == null ? now : before.seenSince()));
            }
        }
        boolean moved = !read
                || !seen.keySet().equals(peers.keySet())
                || !reading.holders().equals(holders);
        peers = seen;
        peersOfRelays = byRelay(seen.values());
        holders = reading.holders();
        read = true;
        readAt = now;
        return moved;
    }

    /** Whether the last reading is recent enough to decide by. */
    boolean isCurrent(long now) {
        return read && now - readAt < lease.toNanos();
    }

    /** Whether the first reading may still come. */
    boolean isStarting(long now) {
        return !read && now - beganAt < lease.toNanos() / 4;
    }

    Optional<OwnerId> holder(RelayName relay) {
        return Optional.ofNullable(holders.get(relay));
    }

    private static Map<RelayName, List<Peer>> byRelay(Collection<Peer> peers) {
        Map<RelayName, List<Peer>> byRelay = new HashMap<>();
        for (Peer peer : peers) {
            peer.entry()
                    .relays()
                    .forEach(relay -> byRelay.computeIfAbsent(relay, added -> new ArrayList<>())
                            .add(peer));
        }
        return byRelay;
    }

    /** Other processes, none if that is not known now. */
    Collection<Peer> peers(long now) {
        return isCurrent(now) ? peers.values() : List.of();
    }

    /** Other processes that run this relay or would. */
    List<Peer> peers(RelayName relay, long now) {
        return isCurrent(now) ? peersOfRelays.getOrDefault(relay, List.of()) : List.of();
    }
}
