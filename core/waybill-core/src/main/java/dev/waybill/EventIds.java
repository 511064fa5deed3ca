package dev.waybill;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * UUIDv7: the time in milliseconds, a counter, then random bits. Ids of one process never go backwards, so they are
 * adjacent in an index. Their order is not the order of events.
 */
public final class EventIds {
    private static final int COUNTER_BITS = 12;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final EventIds SYSTEM = new EventIds(InstantSource.system());

    private final InstantSource clock;
    /** Milliseconds and counter of the last id, in one number so that it can only grow. */
    private final AtomicLong last = new AtomicLong();

    EventIds(InstantSource clock) {
        this.clock = clock;
    }

    public static String next() {
        return SYSTEM.create().toString();
    }

    UUID create() {
        long now = clock.millis() << COUNTER_BITS;
        long stamp = last.updateAndGet(previous -> Math.max(now, previous + 1));
        long millis = stamp >>> COUNTER_BITS;
        long counter = stamp & ((1L << COUNTER_BITS) - 1);
        long high = (millis << 16) | 0x7000L | counter;
        long low = (RANDOM.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
