package dev.waybill.pubsub;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what others are about to do. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long BETWEEN_LOOKS = Duration.ofMillis(5).toNanos();

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Waited " + PATIENCE.toSeconds() + " s in vain for " + what + ".");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }
}
