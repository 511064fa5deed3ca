package dev.waybill.spi;

import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** The publishes of one user of a destination whose answers it has not processed yet. Safe for use by many threads. */
public final class PublishLog {
    /** One counter for the whole process, because a destination can get another user. */
    private static final AtomicLong COUNT = new AtomicLong();

    private final TreeSet<Long> unseen = new TreeSet<>();

    /** Must be called for every publish, in the order of publishing. */
    public synchronized Seen next() {
        long number = COUNT.getAndIncrement();
        unseen.add(number);
        return new Seen(number, unseen.first());
    }

    /** The caller has processed the answer to that publish. */
    public synchronized void takenIn(Seen publish) {
        unseen.remove(publish.number());
    }
}
