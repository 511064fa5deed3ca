package dev.waybill.server.live;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;

/**
 * Latencies of the last minute, in classes that grow by an eighth. Adding takes a few nanoseconds. Safe for use by many threads; what is added
 * while a new slot begins may be lost.
 */
public final class Latencies {
    private static final int SLOTS = 6;
    private static final long SLOT_NANOS = Duration.ofSeconds(10).toNanos();
    /** Eight classes for each power of two, from 1 µs to about 12 days. */
    private static final int PER_DOUBLING = 8;

    private static final int CLASSES = 40 * PER_DOUBLING;
    private static final double LEAST_SECONDS = 1e-6;
    private static final double FEWEST_FOR_P99 = 1;

    private final LongSupplier nanoClock;
    private final AtomicIntegerArray[] slots = new AtomicIntegerArray[SLOTS];
    private volatile long epoch;

    /** In seconds. */
    public record Percentiles(double p50, double p95, double p99) {}

    Latencies(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.epoch = nanoClock.getAsLong() / SLOT_NANOS;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new AtomicIntegerArray(CLASSES);
        }
    }

    void add(double seconds) {
        slot().incrementAndGet(classOf(seconds));
    }

    private static int classOf(double seconds) {
        if (!(seconds > LEAST_SECONDS)) {
            return 0;
        }
        int number = (int) (Math.log(seconds / LEAST_SECONDS) / Math.log(2) * PER_DOUBLING);
        return Math.min(CLASSES - 1, number);
    }

    /** The slot of now, emptied if it is a new one. */
    private AtomicIntegerArray slot() {
        long now = nanoClock.getAsLong() / SLOT_NANOS;
        if (now != epoch) {
            turn(now);
        }
        return slots[(int) Math.floorMod(now, (long) SLOTS)];
    }

    private synchronized void turn(long now) {
        for (long each = Math.max(epoch + 1, now - SLOTS + 1); each <= now; each++) {
            slots[(int) Math.floorMod(each, (long) SLOTS)] = new AtomicIntegerArray(CLASSES);
        }
        epoch = Math.max(epoch, now);
    }

    /** Empty if nothing was added in the last minute. */
    Optional<Percentiles> percentiles() {
        slot();
        long[] counts = new long[CLASSES];
        long total = 0;
        for (AtomicIntegerArray slot : slots) {
            for (int i = 0; i < CLASSES; i++) {
                counts[i] += slot.get(i);
                total += slot.get(i);
            }
        }
        return total < FEWEST_FOR_P99
                ? Optional.empty()
                : Optional.of(
                        new Percentiles(at(counts, total, 0.5), at(counts, total, 0.95), at(counts, total, 0.99)));
    }

    private static double at(long[] counts, long total, double part) {
        long rank = (long) Math.ceil(total * part);
        long seen = 0;
        for (int i = 0; i < CLASSES; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return LEAST_SECONDS * Math.pow(2, (i + 0.5) / PER_DOUBLING);
            }
        }
        return LEAST_SECONDS * Math.pow(2, (double) CLASSES / PER_DOUBLING);
    }
}
