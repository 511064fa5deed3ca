package dev.waybill.bench.systems;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of the bench by a signal. A signal from the terminal ends the measured systems too, and the servers end with the bench: what
 * fails then must not become a result.
 */
public final class Ending {
    private static final Duration A_MOMENT = Duration.ofMillis(500);

    private Ending() {}

    /** Does not return if the bench is about to end. A signal reaches all processes at about the same time. */
    static void endWithTheRun() {
        LockSupport.parkNanos(A_MOMENT.toNanos());
        waitIfBegun();
    }

    /** Does not return if the bench ends. */
    public static void waitIfBegun() {
        while (hasBegun()) {
            LockSupport.parkNanos(A_MOMENT.toNanos());
        }
    }

    private static boolean hasBegun() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
