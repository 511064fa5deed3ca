package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.relay.sharing.Placement;
import dev.waybill.relay.sharing.Sharing;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Relays of this process that it shares evenly with other processes: those that run relays of the same names in a group of their
 * own. Without a group, the process that is first keeps all leases until it ends.
 *
 * <pre>{@code
 * try (RelayGroup group = RelayGroup.ofThisProcess()) {
 *     Relay orders = Relay.named("orders").from(journal).to(kafka).group(group).start();
 *     Relay bills = Relay.named("bills").from(other).to(rabbit).group(group).start();
 *     …
 * }
 * }</pre>
 *
 * Close it before its relays, so that other processes take them over at once. Safe for use by many threads.
 */
public final class RelayGroup implements AutoCloseable {
    private final OwnerId process;
    private final Sharing sharing;
    private final UnaryOperator<String> shown;
    private final IdentityHashMap<EventStore, WatchProcesses> watched = new IdentityHashMap<>();
    private final Set<RelayName> names = new HashSet<>();
    private boolean closed;

    private RelayGroup(OwnerId process, UnaryOperator<String> shown) {
        this.process = process;
        this.shown = shown;
        this.sharing = new Sharing(process, System::nanoTime);
    }

    public static RelayGroup ofThisProcess() {
        return ofThisProcess(UnaryOperator.identity());
    }

    /**
     * A group whose relays report to others why they fail, in their stores.
     *
     * @param shown what others may read of the text of an error; it removes secrets that only this process knows
     */
    public static RelayGroup ofThisProcess(UnaryOperator<String> shown) {
        return new RelayGroup(OwnerId.unique(Relay.processName()), shown);
    }

    /** The owner of the leases of its relays. */
    public OwnerId process() {
        return process;
    }

    /** A relay's part in the group; closing it takes the relay out. */
    interface Membership extends AutoCloseable {
        Placement placement();

        @Override
        void close();
    }

    /** The relay is shared if its store has a register of processes. */
    synchronized Membership join(RelayPlan plan, String destination, Sharing.Loop loop) {
        if (closed || !names.add(plan.name())) {
            throw new IllegalArgumentException("Relay " + plan.name() + " cannot join its group: "
                    + (closed ? "the group is closed." : "another relay of this name is in it. Use each name once."));
        }
        Optional<ProcessRegister> register = plan.store().processes();
        Placement placement = register.isEmpty()
                ? Placement.ALONE
                : sharing.add(
                        plan.store(), destination, plan.name(), plan.options().lease(), loop);
        register.ifPresent(
                of -> watched.computeIfAbsent(plan.store(), store -> WatchProcesses.start(store, of, sharing, shown)));
        return new Membership() {
            @Override
            public Placement placement() {
                return placement;
            }

            @Override
            public void close() {
                leave(plan, placement);
            }
        };
    }

    private synchronized void leave(RelayPlan plan, Placement placement) {
        sharing.remove(placement);
        names.remove(plan.name());
    }

    /** Takes this process out of the registers: it gets no more relays, and others take those that it releases. */
    @Override
    public synchronized void close() {
        closed = true;
        watched.values().forEach(WatchProcesses::close);
        watched.clear();
    }
}
