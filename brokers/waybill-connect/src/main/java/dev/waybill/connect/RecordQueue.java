package dev.waybill.connect;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;

/** Where the relay's thread leaves records, and the task's thread takes them. Safe for use by many threads. */
final class RecordQueue {
    private final Deque<Parcel> offered = new ArrayDeque<>();
    private final List<Parcel> taken = new ArrayList<>();
    private boolean polledSinceTaken;
    private boolean stopped;

    /** @return false if the task has stopped */
    synchronized boolean offer(Parcel parcel) {
        if (!stopped) {
            offered.add(parcel);
            notifyAll();
        }
        return !stopped;
    }

    /** @return false if Connect has it already */
    synchronized boolean withdraw(Parcel parcel) {
        offered.remove(parcel);
        return !parcel.isTaken();
    }

    synchronized void withdrawAll() {
        offered.clear();
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    /** Everything that was offered; empty if there is nothing within this time. */
    synchronized List<SourceRecord> take(Duration within) throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        for (long left = within.toNanos(); offered.isEmpty() && !stopped && left > 0; left = end - System.nanoTime()) {
            wait(Math.max(1, Duration.ofNanos(left).toMillis()));
        }
        taken.removeIf(Parcel::isDone);
        List<SourceRecord> records = new ArrayList<>();
        for (Parcel parcel : offered) {
            records.addAll(parcel.records());
            parcel.taken();
            taken.add(parcel);
            polledSinceTaken = false;
        }
        offered.clear();
        return records;
    }

    /**
     * Whether everything that was taken is committed or dropped. To be asked once in each poll, of a worker whose transactions end with
     * each poll.
     *
     * <p>Usually Connect has reported all records when it polls again. It has not if a pause has ended the transaction too early, and
     * the rest is in a transaction that ends with this poll; or if a transformation has dropped all of them, of which Connect never tells.
     * So what is still not reported in the poll after that was dropped.
     */
    boolean isTakenCommitted() {
        List<Parcel> dropped;
        synchronized (this) {
            taken.removeIf(Parcel::isDone);
            dropped = polledSinceTaken ? List.copyOf(taken) : List.of();
            polledSinceTaken = true;
            taken.removeAll(dropped);
        }
        dropped.forEach(parcel -> parcel.records().forEach(EventRecord::committed));
        synchronized (this) {
            return taken.isEmpty();
        }
    }

    /** From now on nothing is offered or taken. */
    synchronized void stop() {
        stopped = true;
        offered.clear();
        notifyAll();
    }
}
