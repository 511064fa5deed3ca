package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.EventStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes published events of a store that are older than the retention, in small steps with pauses between them. Relays of
 * this process that read the same store share one thread; if their retentions differ, the longest applies. The store
 * deletes only what every relay has published.
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
    /** Guarded by RUNNING. */
    private final List<Duration> asked = new ArrayList<>();

    private volatile Duration retention;
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
            running.join(time);
            Retention joined = running;
            return () -> joined.leave(time);
        }
    }

    /** The retention that runs for this store. */
    static Retention of(EventStore store) {
        synchronized (RUNNING) {
            return Objects.requireNonNull(RUNNING.get(store));
        }
    }

    private void join(Duration time) {
        asked.add(time);
        retention = longest();
    }

    private void leave(Duration time) {
        synchronized (RUNNING) {
            asked.remove(time);
            if (asked.isEmpty()) {
                RUNNING.remove(store);
                stopping = true;
                signal.raise();
            } else {
                retention = longest();
            }
        }
    }

    private Duration longest() {
        return asked.stream().max(Duration::compareTo).orElseThrow();
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
        } catch (RuntimeException e) {
            log.warn(
                    "Relay {}: old events could not be deleted ({}); trying again in {} s.",
                    relay,
                    e.getMessage(),
                    BETWEEN_RUNS.toSeconds());
            return BETWEEN_RUNS;
        }
    }
}
