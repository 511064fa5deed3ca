package dev.waybill.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for an action of another thread, process or server. */
public final class Await {
    /** Far longer than anything takes. */
    private static final Duration LONGEST = Duration.ofSeconds(90);

    private static final long SHORTEST_PAUSE = Duration.ofMillis(2).toNanos();
    /** After some time, if looking is quick; short enough to see what does not last. */
    private static final long LONG_PAUSE = Duration.ofMillis(20).toNanos();
    /** If looking takes long. */
    private static final long LONGEST_PAUSE = Duration.ofMillis(200).toNanos();

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
        long began = System.nanoTime();
        long look = began;
        while (!condition.holds()) {
            long now = System.nanoTime();
            if (now - began > atMost.toNanos()) {
                throw new AssertionError("Not within " + atMost.toSeconds() + " s: " + what.get() + ".");
            }
            LockSupport.parkNanos(pause(now - began, now - look));
            look = System.nanoTime();
        }
    }

    /** Looking again and again must not take the processor from what is awaited. */
    private static long pause(long waited, long lookTook) {
        long growing = Math.min(Math.max(waited / 20, SHORTEST_PAUSE), LONG_PAUSE);
        return Math.max(growing, Math.min(lookTook, LONGEST_PAUSE));
    }

    /** Waits for this time. */
    public static void watch(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
