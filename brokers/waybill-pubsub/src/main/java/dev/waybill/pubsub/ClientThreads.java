package dev.waybill.pubsub;

import dev.waybill.spi.Untraced;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for Google's client. Idle threads end by themselves, so the pool needs no shutdown. */
final class ClientThreads {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private ClientThreads() {}

    static ScheduledThreadPoolExecutor start(int most) {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(most, task -> {
            Thread daemon = new Thread(Untraced.task(task), "waybill-pubsub-" + COUNT.incrementAndGet());
            daemon.setDaemon(true);
            return daemon;
        });
        threads.setKeepAliveTime(1, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setRemoveOnCancelPolicy(true);
        return threads;
    }
}
