package dev.waybill.relay.sharing;

import dev.waybill.RelayName;
import dev.waybill.relay.sharing.SharedRelay.Phase;
import dev.waybill.relay.sharing.StoreView.Peer;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.Entry;
import dev.waybill.spi.ProcessRegister.Reading;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which leases this process takes and which it gives up, so that all processes run about as many relays. There is no coordinator:
 * each process announces in every store how many relays it runs, of all stores, and which of the store's it would run.
 *
 * <p><b>Share.</b> A relay that three processes would run counts as a third for each of them; the sum is this process's share.
 * Processes with the same file have the same share.
 *
 * <p><b>Taking.</b> Below its share, rounded down, a process takes a free lease at once: of several such processes the one with the
 * highest rank for the relay, the others a moment later. So does a process that has no more relays than any other. Otherwise it waits
 * longer, the more it has, but never so long that a relay stays without a process.
 *
 * <p><b>Giving up.</b> A process that runs at least two relays more than another that would run one of them gives up one: it
 * drains it, releases the lease, and does not try to take it for a while. It gives up {@value #AT_ONCE} at once at most if it has more than
 * its share, rounded up; otherwise one, and only if no process runs more than it does. So differences of one move nothing, and several
 * processes do not give to the same one too much. A relay stays for the length of a lease at least, and a process gets
 * nothing before it has been seen for half of that. If no process takes an offered lease, the process takes it back and offers
 * nothing for a while, and longer each time.
 *
 * <p>What the store does not tell any more is not guessed: then relays take their leases as if they were not shared. Safe for use
 * by many threads; calls nothing that waits.
 */
public final class Sharing {
    private static final int AT_ONCE = 4;
    private static final int LONGEST_BACKOFF_LEASES = 60;
    /** The sum of three thirds may be a little more or less than one. */
    private static final double ROUNDING = 1e-6;

    private final OwnerId process;
    private final LongSupplier nanoTime;
    private final IdentityHashMap<Object, StoreView> stores = new IdentityHashMap<>();
    private final Map<String, SharedDestination> destinations = new LinkedHashMap<>();
    private final List<SharedRelay> relays = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    /** As of the last reading. */
    private Loads loads = new Loads();

    private long beat;
    private long movedAt;
    private Duration backoff = Duration.ZERO;
    private long offersAgainAt;

    /** The loop that runs a relay. */
    public interface Loop {
        /** Makes it call its {@link Placement} again. Does not wait. */
        void wake();

        /** How long the relay has been failing; empty if it does not fail. */
        Optional<Duration> failingFor();

        /** How long ago the destination last accepted or refused an event of the relay; empty if it never did. */
        Optional<Duration> lastPublished();

        /** Whether the relay, at its last look, had nothing to publish and waited for no answer. */
        boolean isIdle();

        /** What the relay does in this process. */
        RelayReport report();
    }

    /** A relay that another process has taken from this one, and that is not in its last announcement yet. */
    private record Arrival(OwnerId at, long beat, long until) {}

    /** @param nanoTime the monotonic clock */
    public Sharing(OwnerId process, LongSupplier nanoTime) {
        this.process = process;
        this.nanoTime = nanoTime;
        this.offersAgainAt = nanoTime.getAsLong();
    }

    /**
     * Adds a relay.
     *
     * @param store relays with the same object are in the same store
     * @param destination relays with the same name have the same destination
     */
    public synchronized Placement add(Object store, String destination, RelayName name, Duration lease, Loop loop) {
        long now = nanoTime.getAsLong();
        StoreView view = stores.computeIfAbsent(store, added -> new StoreView(process, lease, now));
        view.atMost(lease);
        SharedDestination to = destinations.computeIfAbsent(destination, added -> new SharedDestination());
        SharedRelay relay = new SharedRelay(this, new SharedRelay.Place(view, to), name, lease, loop);
        to.add(relay);
        relays.add(relay);
        return relay;
    }

    /** The relay does not run any more. */
    public synchronized void remove(Placement relay) {
        relays.stream()
                .filter(each -> each == relay)
                .forEach(each -> each.destination().remove(each));
        relays.removeIf(each -> each == relay);
    }

    /** What this process should announce in a store now; empty if the store knows it, and for long enough. */
    public synchronized Optional<Entry> toAnnounce(Object store) {
        StoreView view = view(store);
        Predicate<SharedRelay> wanted = wanted(nanoTime.getAsLong());
        Set<RelayName> ofStore = relays.stream()
                .filter(relay -> relay.store() == view && wanted.test(relay))
                .map(SharedRelay::name)
                .collect(Collectors.toSet());
        // With those under way: otherwise another process would count as the busiest, and give too.
        Entry entry = new Entry(process, beat + 1, load() + underWay(), ofStore);
        return view.knows(entry, nanoTime.getAsLong()) ? Optional.empty() : Optional.of(entry);
    }

    /** The store has this announcement. */
    public synchronized void announced(Object store, Entry entry) {
        beat = Math.max(beat, entry.beat());
        view(store).announced(entry, nanoTime.getAsLong());
    }

    /** What this process reports of its relays in a store. */
    public synchronized List<RelayReport> reports(Object store) {
        StoreView view = view(store);
        return relays.stream()
                .filter(relay -> relay.store() == view)
                .map(SharedRelay::report)
                .toList();
    }

    /** How long an announcement is valid: it ends before the leases of a process that is gone. */
    public synchronized Duration validity(Object store) {
        return view(store).lease().multipliedBy(4).dividedBy(5);
    }

    /** What this process has read in a store. */
    public synchronized void see(Object store, Reading reading) {
        long now = nanoTime.getAsLong();
        StoreView view = view(store);
        if (view.see(reading, now)) {
            movedAt = now;
        }
        loads = Loads.of(stores.values(), now);
        relays.stream().filter(relay -> relay.store() == view).forEach(relay -> see(relay, now));
        destinations.values().forEach(destination -> destination.look(now));
        giveUp(now);
    }

    private void see(SharedRelay relay, long now) {
        Optional<OwnerId> other = relay.holder().filter(holder -> !holder.equals(process));
        if (other.isEmpty()) {
            relay.seenFree(now);
            if (relay.is(Phase.STANDING_BY)) {
                relay.wake();
            }
        } else {
            relay.seenHeld();
            if (relay.is(Phase.OFFERED)) {
                relay.become(Phase.STANDING_BY, now);
                long until = now + relay.lease().toNanos();
                arrivals.add(new Arrival(other.get(), loads.beat(other.get()), until));
                backoff = Duration.ZERO;
            }
        }
    }

    /** How long a store may be left before it is read again. */
    public synchronized Duration untilLook(Object store) {
        long now = nanoTime.getAsLong();
        Duration lease = view(store).lease();
        boolean expecting = now - movedAt < lease.multipliedBy(2).toNanos() && loads.isAnyAtLeast(load() + 2);
        return lease.dividedBy(expecting ? 50 : 10);
    }

    synchronized Duration untilTake(SharedRelay relay) {
        long now = nanoTime.getAsLong();
        if (relay.store().isStarting(now)) {
            return standby(relay).dividedBy(10);
        }
        if (relay.is(Phase.OFFERED)) {
            Duration left = relay.lease().dividedBy(2).minus(relay.lasts(now));
            if (!left.isNegative() && !left.isZero()) {
                return shorter(left, standby(relay));
            }
            offerFailed(relay, now);
        } else if (relay.store().isCurrent(now)) {
            Duration wait = untilTake(relay, now);
            if (!wait.isZero()) {
                return wait;
            }
        }
        relay.become(Phase.TAKING, now);
        return Duration.ZERO;
    }

    private Duration untilTake(SharedRelay relay, long now) {
        Optional<OwnerId> holder = relay.holder();
        if (holder.isPresent()) {
            return holder.get().equals(process) ? Duration.ZERO : standby(relay);
        }
        relay.seenFree(now);
        Duration left = hesitation(relay, now).minus(relay.freeFor(now));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** How long its lease must have been free. */
    private Duration hesitation(SharedRelay relay, long now) {
        List<Peer> peers = relay.store().peers(relay.name(), now);
        int load = load();
        if (!peers.isEmpty() && !wanted(now).test(relay)) {
            return relay.lease().dividedBy(2);
        }
        int excess = load - (int) Math.floor(share(now) + ROUNDING);
        boolean least = peers.stream().allMatch(peer -> loads.of(peer.entry().process()) >= load);
        if (excess >= 0 && !least) {
            return shorter(
                    standby(relay).multipliedBy(1L + excess), relay.lease().dividedBy(2));
        }
        boolean first = peers.stream()
                .map(peer -> peer.entry().process())
                .filter(peer -> loads.of(peer) <= load + 1)
                .allMatch(peer -> Loads.rank(peer, relay.name()) < Loads.rank(process, relay.name()));
        return first ? Duration.ZERO : relay.lease().dividedBy(25);
    }

    /** Offers that fail together count once: it may be only that the other process is slow. */
    private void offerFailed(SharedRelay relay, long now) {
        if (now - offersAgainAt < 0) {
            return;
        }
        backoff = backoff.isZero()
                ? relay.lease().dividedBy(2)
                : shorter(backoff.multipliedBy(2), relay.lease().multipliedBy(LONGEST_BACKOFF_LEASES));
        offersAgainAt = now + backoff.toNanos();
    }

    private void giveUp(long now) {
        arrivals.removeIf(arrival -> loads.beat(arrival.at()) > arrival.beat() || now - arrival.until() > 0);
        if (now - offersAgainAt < 0) {
            return;
        }
        destinations.values().stream()
                .filter(destination -> destination.doAllFail(now))
                .forEach(destination -> giveUpFailing(destination, now));
        int limit = atOnce(now);
        while (underWay() < limit) {
            @Nullable SharedRelay next = nextToGiveUp(now);
            if (next == null) {
                return;
            }
            giveUp(next, now);
        }
    }

    private void giveUpFailing(SharedDestination destination, long now) {
        int limit = backoff.isZero() ? AT_ONCE : 1;
        while (underWay() < limit) {
            @Nullable SharedRelay next = destination.nextFailing(now);
            if (next == null) {
                return;
            }
            destination.gaveUpFailing(next, now);
            giveUp(next, now);
        }
    }

    private static void giveUp(SharedRelay relay, long now) {
        relay.become(Phase.GIVING_UP, now);
        relay.wake();
    }

    /** After an offer that no process took, one relay is enough to find out whether one does now. */
    private int atOnce(long now) {
        int surplus = load() - (int) Math.ceil(share(now) - ROUNDING);
        if (surplus <= 0) {
            return loads.isBusiest(process, load()) ? 1 : 0;
        }
        return backoff.isZero() ? Math.min(AT_ONCE, underWay() + surplus) : 1;
    }

    /**
     * The relay that this process has had for longest, of those that a process with fewer relays would run. Not the last one of
     * a destination that works if others fail.
     */
    private @Nullable SharedRelay nextToGiveUp(long now) {
        int most = load() - 2 - underWay();
        return relays.stream()
                .filter(relay -> relay.is(Phase.HELD) && !relay.isFailing())
                .filter(relay -> relay.lasts(now).compareTo(relay.lease()) >= 0)
                .filter(relay -> !relay.destination().isLastThatWorks(relay))
                .filter(relay -> relay.establishedPeers(now)
                        .map(peer -> peer.entry().process())
                        .anyMatch(peer -> loads.of(peer) + arrivedAt(peer) <= most))
                .max(Comparator.comparing(relay -> relay.lasts(now)))
                .orElse(null);
    }

    private int arrivedAt(OwnerId other) {
        return (int)
                arrivals.stream().filter(arrival -> arrival.at().equals(other)).count();
    }

    private int underWay() {
        return (int) relays.stream().filter(SharedRelay::isUnderWay).count();
    }

    /** Relays that this process runs or is about to run. */
    private int load() {
        long now = nanoTime.getAsLong();
        return (int) relays.stream().filter(relay -> relay.counts(now)).count();
    }

    private double share(long now) {
        return relays.stream()
                .filter(wanted(now))
                .mapToDouble(relay ->
                        1.0 / (1 + relay.store().peers(relay.name(), now).size()))
                .sum();
    }

    /** Relays that this process runs, or would. */
    private Predicate<SharedRelay> wanted(long now) {
        Map<SharedDestination, Predicate<SharedRelay>> more = new HashMap<>();
        destinations.values().forEach(destination -> more.put(destination, destination.wantsMore(loads, now)));
        return relay -> relay.counts(now)
                || Objects.requireNonNull(more.get(relay.destination())).test(relay);
    }

    synchronized void taken(SharedRelay relay) {
        changed(relay, Phase.HELD);
        relay.destination().taken(relay);
    }

    synchronized void changed(SharedRelay relay, Phase next) {
        relay.become(next, nanoTime.getAsLong());
        // A lease that was not available is tried again after the same hesitation.
        relay.seenHeld();
    }

    synchronized void ended(SharedRelay relay) {
        changed(relay, relay.is(Phase.GIVING_UP) ? Phase.OFFERED : Phase.STANDING_BY);
    }

    private StoreView view(Object store) {
        StoreView view = stores.get(store);
        if (view == null) {
            throw new IllegalArgumentException("No relay of this process is in " + store + ".");
        }
        return view;
    }

    private static Duration standby(SharedRelay relay) {
        return relay.lease().dividedBy(10);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
