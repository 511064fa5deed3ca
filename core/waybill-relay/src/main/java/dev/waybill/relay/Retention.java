package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.StoreException;
import java.time.Duration;
import java.util.IdentityHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes published events of a store that are older than the retention, in small steps with pauses between them. Relays of
 * this process that read the same store share one thread, and must ask for the same time. The store deletes only what every
 * relay has published.
 */
final class Retention implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(Retention.class);
    private static final int STEP = 2_000;
    private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);
    private static final Duration BETWEEN_RUNS = Duration.ofMinutes(1);
    private static final IdentityHashMap<EventStore, Retention> RUNNING = new IdentityHashMap<>();

    private final RelayName relay;
    private final EventStore store;
    private final Signal signal = new Signal();
    private final Duration retention;
    /** Guarded by RUNNING. */
    private int relays;

    private volatile boolean stopping;

    /** The use of a shared retention by one relay; closing it ends that use. */
    interface Share extends AutoCloseable {
        @Override
        void close();
    }

    Retention(RelayPlan plan, Duration retention) {
        this.relay = plan.name();
        this.store = plan.store();
        this.retention = retention;
    }

    /** Does nothing for a plan without a retention. */
    static Share start(RelayPlan plan) {
        return plan.options().retention().map(time -> start(plan, time)).orElse(() -> {});
    }

    private static Share start(RelayPlan plan, Duration time) {
        synchronized (RUNNING) {
            Retention running = RUNNING.get(plan.store());
            if (running == null) {
                running = new Retention(plan, time);
                Thread thread = RelayThread.of("retention", plan.name(), running);
                thread.setDaemon(true);
                thread.start();
                RUNNING.put(plan.store(), running);
            }
            running.requireSame(plan, time);
            running.relays++;
            return running::leave;
        }
    }

    /** Deleting after the shorter time would remove events that the longer one promises to keep. */
    private void requireSame(RelayPlan plan, Duration time) {
        if (!time.equals(retention)) {
            throw new IllegalArgumentException("Relay " + plan.name() + " keeps published events for " + time
                    + ", and relay " + relay + " of the same store for " + retention + ": use the same retention.");
        }
    }

    private void leave() {
        synchronized (RUNNING) {
            if (--relays == 0) {
                RUNNING.remove(store);
                stopping = true;
                signal.raise();
            }
        }
    }

    @Override
    public void run() {
        try {
            while (!stopping) {
                signal.await(runOnce());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * One step.
     *
     * @return how long to wait before the next
     */
    Duration runOnce() {
        try {
            return store.purge(retention, STEP) ? BETWEEN_STEPS : BETWEEN_RUNS;
        } catch (StoreException e) {
            log.warn(
                    "Relay {}: old events could not be deleted ({}); trying again in {} s.",
                    relay,
                    e.getMessage(),
                    BETWEEN_RUNS.toSeconds());
            return BETWEEN_RUNS;
        } catch (Throwable e) {
            // Whatever it is: the end of this thread would go unnoticed.
            log.error("Relay {}: a defect in retention; trying again in {} s.", relay, BETWEEN_RUNS.toSeconds(), e);
            return BETWEEN_RUNS;
        }
    }
}
