package dev.waybill.relay;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews a lease on a thread of its own; when it surely no longer holds, stops the destination at once. */
final class KeepRenewing implements Runnable, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KeepRenewing.class);

    private final RelayPlan plan;
    private final LeaseKeeper lease;
    private final Signal signal = new Signal();
    private volatile boolean stopping;

    private KeepRenewing(RelayPlan plan, LeaseKeeper lease) {
        this.plan = plan;
        this.lease = lease;
    }

    static KeepRenewing start(RelayPlan plan, LeaseKeeper lease) {
        KeepRenewing renewing = new KeepRenewing(plan, lease);
        Thread thread = new Thread(renewing, "waybill-lease-" + plan.name());
        thread.setDaemon(true);
        thread.start();
        return renewing;
    }

    boolean holds() {
        return lease.holds();
    }

    @Override
    public void run() {
        Duration interval = LeaseKeeper.renewalInterval(plan.options().lease());
        try {
            signal.await(interval);
            while (!stopping && lease.renewOnce()) {
                signal.await(interval);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!stopping) {
            log.warn("Relay {}: the lease could not be renewed in time; publishing stops.", plan.name());
            plan.destination().abort();
        }
    }

    @Override
    public void close() {
        stopping = true;
        signal.raise();
    }
}
