package dev.waybill.tck.memory;

import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.ClosedInFlight;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** One epoch of a relay. Claimed events are kept here; settled ones in the relay's state. */
final class MemorySession implements RelaySession {
    private final Ledger ledger;
    private final RelayState relay;
    private final OwnerId owner;
    private final Duration lease;
    private final long epoch;
    private final Deque<MemoryBatch> out = new ArrayDeque<>();
    private final Set<Long> retriesOut = new HashSet<>();
    private final ClosedInFlight<Utf8, MemoryBatch> closedInFlight = new ClosedInFlight<>();

    private long readTo;
    private boolean closed;

    MemorySession(Ledger ledger, RelayState relay, OwnerId owner, Duration lease) {
        this.ledger = ledger;
        this.relay = relay;
        this.owner = owner;
        this.lease = lease;
        this.epoch = relay.epoch();
        this.readTo = relay.position();
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public boolean renew() {
        synchronized (ledger) {
            if (!isCurrent()) {
                return false;
            }
            relay.extend(owner, ledger.now().plus(lease));
            return true;
        }
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        synchronized (ledger) {
            requireCurrent();
            if (relay.paused()) {
                endIfOver();
                return Optional.empty();
            }
            MemoryBatch batch = new MemoryBatch(max);
            Map<Utf8, Parked> heads = relay.parking().heads();
            claimDue(batch, heads);
            claimFresh(batch, closedKeys(heads.keySet()));
            if (batch.isEmpty()) {
                endIfOver();
                return Optional.empty();
            }
            out.add(batch);
            return Optional.of(batch);
        }
    }

    private void endIfOver() {
        if (out.isEmpty()) {
            relay.replay().ifPresent(replay -> new MemoryReplays(ledger).endIfOver(relay, replay));
        }
    }

    private void claimDue(MemoryBatch batch, Map<Utf8, Parked> heads) {
        Instant now = ledger.now();
        for (Parked head : heads.values()) {
            MemoryEvent event = head.event().withAttempts(head.attempts());
            if (!head.isDue(now) || retriesOut.contains(event.position())) {
                continue;
            }
            if (!batch.hasRoomFor(event)) {
                return;
            }
            batch.add(event, MemoryBatch.Kind.RETRY);
            retriesOut.add(event.position());
        }
    }

    /** Keys with a parked event, and keys of events that will be parked when a batch in flight is settled. */
    private Set<Utf8> closedKeys(Set<Utf8> parked) {
        Set<Utf8> closed = new HashSet<>(parked);
        closed.addAll(closedInFlight.keys());
        for (MemoryBatch batch : out) {
            batch.entries().stream()
                    .filter(entry -> entry.kind() == MemoryBatch.Kind.PASSED_OVER)
                    .forEach(entry -> closed.add(entry.event().orderKey()));
        }
        return closed;
    }

    private void claimFresh(MemoryBatch batch, Set<Utf8> closedKeys) {
        for (MemoryEvent event : ledger.after(readTo)) {
            if (!relay.isAbout(event)) {
                continue;
            }
            if (closedKeys.contains(event.orderKey())) {
                batch.add(event, MemoryBatch.Kind.PASSED_OVER);
            } else if (batch.hasRoomFor(event)) {
                batch.add(event, MemoryBatch.Kind.FRESH);
            } else {
                return;
            }
            readTo = event.position();
        }
    }

    @Override
    public Optional<BesideClaims> besideClaims() {
        return Optional.of(
                batch -> settle(batch, Collections.nCopies(batch.events().size(), Settlement.PUBLISHED)));
    }

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        synchronized (ledger) {
            requireCurrent();
            MemoryBatch oldest = requireOldest(batch, inClaimOrder);
            List<MemoryBatch> later = out.stream().skip(1).toList();
            Iterator<Settlement> settlements = inClaimOrder.iterator();
            for (MemoryBatch.Entry entry : oldest.entries()) {
                Settlement settlement =
                        entry.kind() == MemoryBatch.Kind.PASSED_OVER ? Settlement.BEHIND : settlements.next();
                if (settlement instanceof Settlement.Released) {
                    claimAgainFromHere();
                    return;
                }
                settle(entry, settlement);
                if (Settlement.closesKey(settlement)) {
                    closedInFlight.close(Set.of(entry.event().orderKey()), later, MemorySession::keys);
                }
            }
            out.remove();
            closedInFlight.settled(oldest);
        }
    }

    private static Stream<Utf8> keys(MemoryBatch batch) {
        return batch.entries().stream().map(entry -> entry.event().orderKey());
    }

    private void settle(MemoryBatch.Entry entry, Settlement settlement) {
        long position = entry.event().position();
        if (settlement instanceof Settlement.Published) {
            relay.replay().ifPresent(MemoryReplay::oneSent);
        }
        if (entry.kind() != MemoryBatch.Kind.RETRY) {
            relay.moveTo(position);
            park(Parked.behind(entry.event()), settlement);
            return;
        }
        retriesOut.remove(position);
        // Not found: an operator discarded it while it was in flight, and that remains in effect.
        relay.parking().find(position).ifPresent(parked -> park(parked, settlement));
    }

    private void park(Parked parked, Settlement settlement) {
        if (settlement instanceof Settlement.RetryAt retry) {
            relay.parking().put(parked.failed(new Parked.Wait.Until(retry.at()), retry.counted(), retry.error()));
        } else if (settlement instanceof Settlement.Dead dead) {
            relay.parking().put(parked.failed(new Parked.Wait.Dead(dead.holdsKey()), dead.sent(), dead.error()));
        } else if (settlement instanceof Settlement.Behind) {
            relay.parking().put(parked.waiting(new Parked.Wait.Behind()));
        } else {
            relay.parking().remove(parked.event().position());
        }
    }

    private void claimAgainFromHere() {
        out.clear();
        retriesOut.clear();
        closedInFlight.clear();
        readTo = relay.position();
    }

    @Override
    public void close() {
        synchronized (ledger) {
            if (isCurrent()) {
                relay.giveBack(ledger.now());
            }
            closed = true;
        }
    }

    private MemoryBatch requireOldest(Batch batch, List<Settlement> settlements) {
        MemoryBatch oldest = out.peek();
        if (oldest == null || oldest != batch) {
            throw new IllegalStateException(
                    "Relay " + relay.name() + ": this batch is not the oldest of the " + out.size()
                            + " out: settle batches in the order of their claims, each once, and none that a release made void.");
        }
        if (settlements.size() != oldest.size()) {
            throw new IllegalArgumentException("Relay " + relay.name() + ": " + settlements.size()
                    + " settlements for a batch of " + oldest.size() + " events: give one for each.");
        }
        Settlement.requireAttemptsLeft(oldest.events(), settlements);
        return oldest;
    }

    private boolean isCurrent() {
        boolean known =
                ledger.relay(relay.name()).filter(state -> state == relay).isPresent();
        return known && !closed && relay.epoch() == epoch;
    }

    private void requireCurrent() {
        if (!isCurrent()) {
            throw new LeaseLostException(relay.name(), epoch);
        }
    }
}
