package dev.waybill.relay;

import dev.waybill.spi.Untraced;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that relays of this process share for short scheduled tasks. It starts with its first user and ends with its
 * last. Safe for use by many threads.
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
                        Thread thread = new Thread(Untraced.task(work), name);
                        thread.setDaemon(true);
                        return thread;
                    },
                    // Tasks of a user that has closed its share are dropped.
                    new ThreadPoolExecutor.DiscardPolicy());
            executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        }
    }

    private SharedThread(Object by, Shared shared) {
        this.by = by;
        this.shared = shared;
    }

    /** @param by users with the same object share one thread */
    static SharedThread take(Object by, String name) {
        synchronized (SHARED) {
            Shared shared = SHARED.computeIfAbsent(by, b -> new Shared(name));
            shared.users++;
            return new SharedThread(by, shared);
        }
    }

    /** Runs the task once after the delay. It must be short: others wait for it. */
    void in(Duration wait, Runnable work) {
        var unused = shared.executor.schedule(
                () -> {
                    try {
                        work.run();
                    } catch (Throwable e) {
                        // The future is not read, so the exception would be lost.
                        log.error(
                                "A task on thread {} failed because of a defect and is skipped.",
                                Thread.currentThread().getName(),
                                e);
                    }
                },
                wait.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Must be called once. */
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
