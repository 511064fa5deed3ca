package dev.waybill.tck.memory;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Administration of replays, and the ledger as a store for them. */
final class MemoryReplays implements ReplayAdmin, EventStore {
    private final Ledger ledger;

    MemoryReplays(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public ReplaySize preview(ReplayQuery query) {
        synchronized (ledger) {
            long events = ledger.after(0).stream().filter(query::matches).count();
            return new ReplaySize(events, true);
        }
    }

    @Override
    public ReplayStatus start(RelayName name, ReplayQuery query, Actor by) {
        synchronized (ledger) {
            if (ledger.relay(name).isPresent()) {
                throw new StoreRefusedException("The replay " + name + " cannot be started: there is a relay or a"
                        + " replay of that name. Use another name, or drop that one first.");
            }
            RelayState state = ledger.relayOrNew(name);
            state.replays(new MemoryReplay(query, ledger.lastPosition(), by, ledger.now()));
            ledger.audit(by, "replay-start", name.value(), query.inWords());
            return find(name).orElseThrow();
        }
    }

    @Override
    public List<ReplayStatus> replays() {
        synchronized (ledger) {
            return ledger.all().flatMap(this::status).toList();
        }
    }

    @Override
    public Optional<ReplayStatus> replay(RelayName name) {
        synchronized (ledger) {
            return find(name);
        }
    }

    @Override
    public Optional<ReplayStatus> cancel(RelayName name, Actor by) {
        synchronized (ledger) {
            ledger.relay(name)
                    .ifPresent(relay -> relay.replay()
                            .filter(replay -> !replay.hasEnded())
                            .ifPresent(replay -> cancel(relay, replay, by)));
            return find(name);
        }
    }

    private void cancel(RelayState relay, MemoryReplay replay, Actor by) {
        if (replay.cancelledBy().isEmpty()) {
            replay.cancel(by);
            ledger.audit(by, "replay-cancel", relay.name().value(), "");
        }
        relay.pause(true);
        if (relay.lease(ledger.now()).isEmpty()) {
            relay.outdate();
            end(relay, replay);
        }
    }

    /** Called with the ledger's monitor held, when a session has nothing in flight and nothing left to claim. */
    void endIfOver(RelayState relay, MemoryReplay replay) {
        boolean isThrough = ledger.stillToSend(relay).findAny().isEmpty()
                && relay.parking().all().stream().allMatch(Parked::isDead);
        if (!replay.hasEnded() && (isThrough || replay.cancelledBy().isPresent())) {
            end(relay, replay);
        }
    }

    private void end(RelayState relay, MemoryReplay replay) {
        replay.end();
        String counts = find(relay.name()).orElseThrow().counts().toString();
        boolean cancelled = replay.cancelledBy().isPresent();
        ledger.audit(
                replay.cancelledBy().orElse(replay.by()),
                cancelled ? "replay-cancelled" : "replay-through",
                relay.name().value(),
                counts);
    }

    @Override
    public EventStore store() {
        return this;
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return new MemoryAdmin(ledger).purge(olderThan, atMost).more();
    }

    @Override
    public Optional<ProcessRegister> processes() {
        return Optional.empty();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        synchronized (ledger) {
            RelayState state = ledger.relay(relay)
                    .filter(known -> known.replay().isPresent())
                    .orElseThrow(() -> new StoreRefusedException("Relay " + relay
                            + ": there is no replay of this name. It was dropped, or never started: start one first."));
            return MemoryStore.open(ledger, state, owner, lease);
        }
    }

    private Optional<ReplayStatus> find(RelayName name) {
        return ledger.relay(name).stream().flatMap(this::status).findFirst();
    }

    private Stream<ReplayStatus> status(RelayState relay) {
        return relay.replay().stream()
                .map(replay -> new ReplayStatus(
                        relay.name().value(),
                        replay.query(),
                        replay.state(),
                        replay.by(),
                        replay.startedAt(),
                        relay.lease(ledger.now()),
                        relay.paused(),
                        counts(relay, replay)));
    }

    /** Waiting events of a cancelled replay are not sent. */
    private ReplayStatus.Counts counts(RelayState relay, MemoryReplay replay) {
        long dead = relay.parking().all().stream().filter(Parked::isDead).count();
        long parked = relay.parking().all().size() - dead;
        long left = ledger.stillToSend(relay).count();
        boolean cancelled = replay.state() == ReplayStatus.State.CANCELLED;
        return new ReplayStatus.Counts(
                replay.sent(), new ReplaySize(cancelled ? left + parked : left, true), cancelled ? 0 : parked, dead);
    }
}
