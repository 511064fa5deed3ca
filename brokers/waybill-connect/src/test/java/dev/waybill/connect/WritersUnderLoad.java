package dev.waybill.connect;

import dev.waybill.Event;
import dev.waybill.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Threads that append events as fast as asked for, each to a key of its own, until they are closed. */
final class WritersUnderLoad implements AutoCloseable {
    private static final int WRITERS = 4;
    private static final int TOGETHER = 5;

    private final Journal journal;
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final List<AtomicInteger> counts = new ArrayList<>();
    private volatile boolean stopping;

    /** @param pause of a writer between two transactions of five events, in nanoseconds */
    WritersUnderLoad(Journal journal, long pause) {
        this.journal = journal;
        for (int writer = 0; writer < WRITERS; writer++) {
            String key = "k" + writer;
            AtomicInteger count = new AtomicInteger();
            counts.add(count);
            threads.execute(() -> {
                while (!stopping) {
                    append(key, count);
                    LockSupport.parkNanos(pause);
                }
            });
        }
    }

    private void append(String key, AtomicInteger count) {
        Event[] events = new Event[TOGETHER];
        for (int i = 0; i < TOGETHER; i++) {
            events[i] = Event.of(Journal.TYPE)
                    .aggregate("order", key)
                    .payload(Payload.json(Integer.toString(count.get() + i)));
        }
        journal.append(events);
        count.addAndGet(TOGETHER);
    }

    int appended() {
        return counts.stream().mapToInt(AtomicInteger::get).sum();
    }

    /** What each key must have. */
    List<Integer> appendedByKey() {
        return counts.stream().map(AtomicInteger::get).toList();
    }

    /** Returns when nothing is appended any more. */
    void stop() {
        stopping = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The writers have not ended.");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
