package dev.waybill.relay;

import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.StoreAdmin;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes published events that are older than the retention, in small steps with pauses between, so that it is not felt. */
final class PurgeNowAndThen implements Runnable, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PurgeNowAndThen.class);
    private static final int STEP = 2_000;
    private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);
    private static final Duration BETWEEN_RUNS = Duration.ofMinutes(1);

    private final RelayPlan plan;
    private final StoreAdmin admin;
    private final Duration retention;
    private final Signal signal = new Signal();
    private volatile boolean stopping;

    PurgeNowAndThen(RelayPlan plan, StoreAdmin admin, Duration retention) {
        this.plan = plan;
        this.admin = admin;
        this.retention = retention;
    }

    static AutoCloseable start(RelayPlan plan, StoreAdmin admin) {
        if (plan.options().retention().isEmpty()) {
            return () -> {};
        }
        PurgeNowAndThen job =
                new PurgeNowAndThen(plan, admin, plan.options().retention().get());
        Thread thread = RelayThread.of("retention", plan.name(), job);
        thread.setDaemon(true);
        thread.start();
        return job;
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
            PurgeStep step = admin.purge(retention, STEP);
            return step.more() ? BETWEEN_STEPS : BETWEEN_RUNS;
        } catch (RuntimeException e) {
            log.warn(
                    "Relay {}: retention could not delete ({}); trying again in {} s.",
                    plan.name(),
                    e.getMessage(),
                    BETWEEN_RUNS.toSeconds());
            return BETWEEN_RUNS;
        }
    }

    @Override
    public void close() {
        stopping = true;
        signal.raise();
    }
}
