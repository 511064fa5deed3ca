package dev.waybill.relay;

import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that relays of this process share for short work at a given time. It starts when the first takes it and ends
 * when the last has let go. Safe for use by many threads.
 */
final class SharedThread implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SharedThread.class);
    private static final IdentityHashMap<Object, Shared> SHARED = new IdentityHashMap<>();

    private final Object by;
    private final Shared shared;

    private static final class Shared {
        private final ScheduledThreadPoolExecutor executor;
        private int users;

        Shared(String name) {
            executor = new ScheduledThreadPoolExecutor(
                    1,
                    work -> {
                        Thread thread = new Thread(work, name);
                        thread.setDaemon(true);
                        return thread;
                    },
                    // Work of one that let go meanwhile is not missed.
                    new ThreadPoolExecutor.DiscardPolicy());
            executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        }
    }

    private SharedThread(Object by, Shared shared) {
        this.by = by;
        this.shared = shared;
    }

    /** @param by whoever gives the same object shares the thread */
    static SharedThread take(Object by, String name) {
        synchronized (SHARED) {
            Shared shared = SHARED.computeIfAbsent(by, b -> new Shared(name));
            shared.users++;
            return new SharedThread(by, shared);
        }
    }

    /** Runs the work once, after so long. It must be short: others wait for it. */
    void in(Duration wait, Runnable work) {
        var unused = shared.executor.schedule(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException | Error e) {
                        // Nobody asks what became of it.
                        log.error(
                                "A defect on {}: what was to be done is left out.",
                                Thread.currentThread().getName(),
                                e);
                    }
                },
                wait.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** To be called once. */
    @Override
    public void close() {
        synchronized (SHARED) {
            if (--shared.users == 0) {
                SHARED.remove(by);
                shared.executor.shutdown();
            }
        }
    }
}
