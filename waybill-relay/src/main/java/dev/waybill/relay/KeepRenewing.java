package dev.waybill.relay;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews a lease on a thread of its own, and stops the destination as soon as the lease surely no longer holds: on another
 * thread, for a store that does not answer keeps the first one waiting.
 */
final class KeepRenewing implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KeepRenewing.class);

    private final RelayPlan plan;
    private final LeaseKeeper lease;
    private final Signal renewal = new Signal();
    private final Signal end = new Signal();
    private volatile boolean stopping;

    private interface Work {
        void run() throws InterruptedException;
    }

    private KeepRenewing(RelayPlan plan, LeaseKeeper lease) {
        this.plan = plan;
        this.lease = lease;
    }

    static KeepRenewing start(RelayPlan plan, LeaseKeeper lease) {
        KeepRenewing renewing = new KeepRenewing(plan, lease);
        startThread("lease", plan, renewing::renew);
        startThread("lease-end", plan, renewing::abortAtEnd);
        return renewing;
    }

    private static void startThread(String purpose, RelayPlan plan, Work work) {
        Thread thread = RelayThread.of(purpose, plan.name(), () -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    boolean holds() {
        return lease.holds();
    }

    private void renew() throws InterruptedException {
        Duration interval = LeaseKeeper.renewalInterval(plan.options().lease());
        do {
            renewal.await(interval);
        } while (!stopping && lease.renewOnce());
        end.raise();
    }

    private void abortAtEnd() throws InterruptedException {
        while (!stopping && lease.holds()) {
            end.await(lease.left());
        }
        if (!stopping) {
            log.warn("Relay {}: the lease could not be renewed in time; publishing stops.", plan.name());
            plan.destination().abort();
        }
    }

    @Override
    public void close() {
        stopping = true;
        renewal.raise();
        end.raise();
    }
}
