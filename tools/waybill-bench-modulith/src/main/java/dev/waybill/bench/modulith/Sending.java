package dev.waybill.bench.modulith;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The threads that listeners run on, and the topic they send to. While nothing is sent, events stay in the registry. */
final class Sending implements Executor {
    private final ThreadPoolExecutor threads;
    private volatile @Nullable String topic;

    Sending(int size) {
        this.threads = new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    void begin(String toTopic) {
        topic = toTopic;
    }

    String topic() {
        String current = topic;
        if (current == null) {
            throw new IllegalStateException("An event was to be sent before the system was started.");
        }
        return current;
    }

    boolean running() {
        return topic != null;
    }

    @Override
    public void execute(Runnable listener) {
        if (running()) {
            threads.execute(listener);
        }
    }

    /** Waits for the listeners that run. */
    void end() {
        while (waiting() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        topic = null;
    }

    int waiting() {
        return threads.getQueue().size() + threads.getActiveCount();
    }

    void close() {
        threads.shutdownNow();
    }
}
