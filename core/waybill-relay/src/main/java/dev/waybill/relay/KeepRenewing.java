package dev.waybill.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews a lease, and aborts the destination once the lease may no longer be held. All relays of a store renew on one thread.
 * A second thread watches the ends of all leases of the process, because a store that does not answer blocks the first.
 */
final class KeepRenewing implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KeepRenewing.class);
    private static final Object LEASE_ENDS = new Object();

    private final RelayPlan plan;
    private final LeaseKeeper lease;
    private final Watchdog watchdog;
    private final SharedThread renewals;
    private final SharedThread ends;
    private volatile boolean stopping;

    private KeepRenewing(RelayPlan plan, LeaseKeeper lease, Watchdog watchdog) {
        this.plan = plan;
        this.lease = lease;
        this.watchdog = watchdog;
        this.renewals = SharedThread.take(plan.store(), "waybill-leases");
        this.ends = SharedThread.take(LEASE_ENDS, "waybill-lease-ends");
    }

    static KeepRenewing start(RelayPlan plan, LeaseKeeper lease, Watchdog watchdog) {
        KeepRenewing renewing = new KeepRenewing(plan, lease, watchdog);
        renewing.renewLater();
        renewing.watchEnd();
        renewing.watchCalls();
        return renewing;
    }

    boolean holds() {
        return lease.holds();
    }

    private void renewLater() {
        renewals.in(LeaseKeeper.renewalInterval(plan.options().lease()), RelayThread.named(plan.name(), this::renew));
    }

    private void watchEnd() {
        ends.in(lease.left(), RelayThread.named(plan.name(), this::abortAtEnd));
    }

    /** Not on the thread of the renewals, which a store that does not answer blocks. */
    private void watchCalls() {
        ends.in(UserCalls.BETWEEN_LOOKS, RelayThread.named(plan.name(), () -> {
            if (!stopping) {
                watchdog.lookAtCalls();
                watchCalls();
            }
        }));
    }

    private void renew() {
        if (stopping) {
            return;
        }
        if (watchdog.isLoopStuck()) {
            // Give up the lease before the abort: a loop that continues now must not publish events that overtake
            // aborted ones.
            stopping = true;
            lease.lose();
            AbortDestination.onOwnThread(plan);
        } else if (lease.renewOnce()) {
            renewLater();
        } else {
            watchEnd();
        }
    }

    private void abortAtEnd() {
        if (stopping) {
            return;
        }
        if (lease.holds()) {
            watchEnd();
            return;
        }
        stopping = true;
        log.warn("Relay {}: the lease could not be renewed in time; publishing stops.", plan.name());
        AbortDestination.onOwnThread(plan);
    }

    @Override
    public void close() {
        stopping = true;
        renewals.close();
        ends.close();
    }
}
