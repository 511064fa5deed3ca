package dev.waybill.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for an action of another thread, process or server. */
public final class Await {
    /** Far longer than anything takes. */
    private static final Duration LONGEST = Duration.ofSeconds(90);

    private static final long BETWEEN_LOOKS = Duration.ofMillis(2).toNanos();

    private Await() {}

    /** A condition that may throw an exception. */
    public interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    public static <E extends Exception> void until(String what, Condition<E> condition) throws E {
        until(what, LONGEST, condition);
    }

    /** @param what described when it did not happen, with what did */
    public static <E extends Exception> void until(Supplier<String> what, Condition<E> condition) throws E {
        until(what, LONGEST, condition);
    }

    public static <E extends Exception> void until(String what, Duration atMost, Condition<E> condition) throws E {
        until(() -> what, atMost, condition);
    }

    public static <E extends Exception> void until(Supplier<String> what, Duration atMost, Condition<E> condition)
            throws E {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Not within " + atMost.toSeconds() + " s: " + what.get() + ".");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    /** Waits for this time. */
    public static void watch(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
