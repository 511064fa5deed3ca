package dev.waybill.server.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads and servers do. */
public final class Eventually {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Eventually() {}

    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("After " + LONGEST.toSeconds() + " s it is still not so: " + what);
            }
            LockSupport.parkNanos(10_000_000);
        }
    }
}
