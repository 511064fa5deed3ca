package dev.waybill.server.http;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A few threads that make answers, and a bounded queue before them. They end when there is nothing to do. */
final class Workers implements AutoCloseable {
    /** More than the lanes of some servers that do not answer take up; threads without work end. */
    private static final int THREADS = 64;

    private static final int WAITING = 100;
    private static final int IDLE_SECONDS = 10;

    private final AtomicInteger count = new AtomicInteger();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), this::thread);

    Workers() {
        threads.allowCoreThreadTimeOut(true);
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(work, "waybill-http-" + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** @throws java.util.concurrent.RejectedExecutionException if too many wait already */
    void execute(Runnable work) {
        threads.execute(work);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
