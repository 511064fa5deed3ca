package dev.waybill.trials;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waiting, for a condition or while a trial goes on. */
final class Await {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Await() {}

    interface Condition {
        boolean holds() throws Exception;
    }

    /** A minute is far more than anything takes; who waits so long waits in vain. */
    static void until(String what, Condition condition) throws Exception {
        until(what, Duration.ofSeconds(60), condition);
    }

    static void until(String what, Duration atMost, Condition condition) throws Exception {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Waited " + atMost.toSeconds() + " s in vain for " + what + ".");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Lets the others work for so long. */
    static void watch(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
