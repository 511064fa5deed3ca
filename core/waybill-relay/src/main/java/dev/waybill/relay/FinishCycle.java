package dev.waybill.relay;

import java.time.Duration;

/** Ends a cycle of a relay that is stopping. */
final class FinishCycle {
    private FinishCycle() {}

    /** Waits for messages in flight up to the grace time, then aborts them and waits for the abort. */
    static void await(Cycle cycle, RelayPlan plan, Watchdog watchdog, Signal signal) throws InterruptedException {
        Duration grace = plan.options().grace();
        watchdog.cycled(grace);
        long deadline = System.nanoTime() + grace.toNanos();
        boolean aborted = false;
        while (!cycle.finish()) {
            long left = deadline - System.nanoTime();
            if (left <= 0 && aborted) {
                throw Watchdog.stalled(cycle.unanswered());
            }
            if (left <= 0) {
                aborted = true;
                AbortDestination.now(plan);
                deadline = System.nanoTime() + watchdog.abortTimeout().toNanos();
            } else {
                signal.await(Duration.ofNanos(left));
            }
        }
    }
}
