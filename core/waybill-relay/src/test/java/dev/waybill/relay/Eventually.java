package dev.waybill.relay;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread is about to do. */
final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long BETWEEN_LOOKS = Duration.ofMillis(1).toNanos();

    private Eventually() {}

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Waited " + PATIENCE.toSeconds() + " s in vain: " + what);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }
}
