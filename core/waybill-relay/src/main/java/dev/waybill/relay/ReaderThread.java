package dev.waybill.relay;

import dev.waybill.spi.Untraced;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Claims ahead; the thread exists while there is a backlog. */
final class ReaderThread {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(1);

    private ReaderThread() {}

    static ExecutorService of(RelayPlan plan) {
        ThreadPoolExecutor reader = new ThreadPoolExecutor(
                1, 1, KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(Untraced.task(work), "waybill-relay-" + plan.name() + "-reader");
                    thread.setDaemon(true);
                    return thread;
                });
        reader.allowCoreThreadTimeOut(true);
        return reader;
    }
}
