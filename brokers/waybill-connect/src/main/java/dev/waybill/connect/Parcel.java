package dev.waybill.connect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.connect.source.SourceRecord;

/** Records that a relay hands to the task together. One thread fills it; then it is safe for use by many. */
final class Parcel {
    private final List<EventRecord> records = new ArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean taken;

    /** @param committed is told when Connect has committed the record */
    void add(SourceRecord record, Map<String, ?> partition, Map<String, ?> offset, Runnable committed) {
        open.incrementAndGet();
        records.add(new EventRecord(record, partition, offset, () -> {
            committed.run();
            if (open.decrementAndGet() == 0) {
                done.countDown();
            }
        }));
    }

    /** Not changed any more once it is offered. */
    List<EventRecord> records() {
        return records;
    }

    /** Connect has it. */
    void taken() {
        taken = true;
    }

    boolean isTaken() {
        return taken;
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    boolean awaitDone(long nanos) throws InterruptedException {
        return done.await(nanos, TimeUnit.NANOSECONDS);
    }
}
