package dev.waybill.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews a lease, and stops the destination as soon as the lease surely no longer holds. All relays of a store renew on one
 * thread. The ends of all leases of the process are watched on another one, because a store that does not answer keeps the
 * first one waiting.
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
        this.renewals = SharedThread.take(plan.store(), "waybill-leases-" + plan.name());
        this.ends = SharedThread.take(LEASE_ENDS, "waybill-lease-ends");
    }

    static KeepRenewing start(RelayPlan plan, LeaseKeeper lease, Watchdog watchdog) {
        KeepRenewing renewing = new KeepRenewing(plan, lease, watchdog);
        renewing.renewLater();
        renewing.ends.in(lease.left(), renewing::abortAtEnd);
        return renewing;
    }

    boolean holds() {
        return lease.holds();
    }

    private void renewLater() {
        renewals.in(LeaseKeeper.renewalInterval(plan.options().lease()), this::renew);
    }

    private void renew() {
        if (stopping) {
            return;
        }
        if (watchdog.isLoopStuck() ? lease.holds() : lease.renewOnce()) {
            renewLater();
        } else {
            ends.in(lease.left(), this::abortAtEnd);
        }
    }

    private void abortAtEnd() {
        if (stopping) {
            return;
        }
        if (lease.holds()) {
            ends.in(lease.left(), this::abortAtEnd);
            return;
        }
        stopping = true;
        log.warn("Relay {}: the lease could not be renewed in time; publishing stops.", plan.name());
        CallBack.apart(plan);
    }

    @Override
    public void close() {
        stopping = true;
        renewals.close();
        ends.close();
    }
}
