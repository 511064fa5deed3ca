package dev.waybill.relay;

import dev.waybill.spi.Untraced;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A thread that works beside the relay's own; it exists while there is a backlog. */
final class BacklogThread {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(1);

    private BacklogThread() {}

    /** @param work what it does, for its name */
    static ExecutorService of(RelayPlan plan, String work) {
        ThreadPoolExecutor single = new ThreadPoolExecutor(
                1, 1, KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(Untraced.task(task), "waybill-relay-" + plan.name() + "-" + work);
                    thread.setDaemon(true);
                    return thread;
                });
        single.allowCoreThreadTimeOut(true);
        return single;
    }
}
