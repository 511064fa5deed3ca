package dev.waybill.embedded;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Actions for the end of the JVM, run in reverse order, so that users of a server end before the server. Shutdown hooks of the JVM
 * have no order. Safe for use by many threads.
 */
public final class AtExit {
    private static final Deque<AtExit> PENDING = new ArrayDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(AtExit::runAll, "waybill-at-exit"));
    }

    private final Runnable action;

    private AtExit(Runnable action) {
        this.action = action;
    }

    public static AtExit run(Runnable action) {
        AtExit added = new AtExit(action);
        synchronized (PENDING) {
            PENDING.push(added);
        }
        return added;
    }

    /** The action is no longer needed. */
    public void cancel() {
        synchronized (PENDING) {
            PENDING.remove(this);
        }
    }

    private static void runAll() {
        for (AtExit next = next(); next != null; next = next()) {
            try {
                next.action.run();
            } catch (RuntimeException e) {
                System.err.println("waybill: a server did not end cleanly: " + e.getMessage());
            }
        }
    }

    private static @Nullable AtExit next() {
        synchronized (PENDING) {
            return PENDING.poll();
        }
    }
}
