package dev.waybill.relay;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another thread is about to do. */
final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long BETWEEN_LOOKS = Duration.ofMillis(1).toNanos();

    private Eventually() {}


    static void until(String what, BooleanSupplier condition) {
        until(() -> what, condition);
    }

    /**
     * @param what is asked for when the time is over
     */
    static void until(Supplier<String> what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Not within " + PATIENCE.toSeconds() + " s: " + what.get());
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }
}
