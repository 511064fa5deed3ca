package dev.waybill.spi;

import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** The publishes of one user of a destination whose answers it has not taken in yet. Safe for use by many threads. */
public final class PublishLog {
    /** One count for the whole process: a destination may be passed on to another user. */
    private static final AtomicLong COUNT = new AtomicLong();

    private final TreeSet<Long> unseen = new TreeSet<>();

    /** To be called for every publish, in the order of publishing. */
    public synchronized Seen next() {
        long number = COUNT.getAndIncrement();
        unseen.add(number);
        return new Seen(number, unseen.first());
    }

    /** The answer to that publish is taken in: from now on the caller acts on it. */
    public synchronized void takenIn(Seen publish) {
        unseen.remove(publish.number());
    }
}
