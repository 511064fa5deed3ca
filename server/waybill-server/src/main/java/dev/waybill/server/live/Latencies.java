package dev.waybill.server.live;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongSupplier;

/**
 * Latencies of the last minute, in eight classes of equal width for each power of two. Safe for use by many
 * threads; what is added while a new slot begins may be lost.
 */
public final class Latencies {
    private static final int SLOTS = 6;
    private static final long SLOT_NANOS = Duration.ofSeconds(10).toNanos();
    /** From 1 µs to about 12 days. */
    private static final int DOUBLINGS = 40;

    private static final int PER_DOUBLING = 8;

    private static final int CLASSES = DOUBLINGS * PER_DOUBLING;
    private static final int MOST_OF_BATCH = 100;
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

    /**
     * Adds the latencies of a batch. Of a large one it looks at some that are evenly spread, each of which stands for its
     * neighbours too: a relay at full speed must not notice that it is measured.
     *
     * @param seconds by index
     */
    void add(int number, IntToDoubleFunction seconds) {
        AtomicIntegerArray slot = slot();
        int step = Math.max(1, number / MOST_OF_BATCH);
        for (int i = 0; i < number; i += step) {
            slot.addAndGet(classOf(seconds.applyAsDouble(i)), Math.min(step, number - i));
        }
    }

    private static int classOf(double seconds) {
        double times = seconds / LEAST_SECONDS;
        if (!(times > 1)) {
            return 0;
        }
        int doublings = Math.getExponent(times);
        int within = (int) ((times / Math.scalb(1.0, doublings) - 1) * PER_DOUBLING);
        return Math.min(CLASSES - 1, doublings * PER_DOUBLING + within);
    }

    /** The middle of a class. */
    private static double secondsOf(int number) {
        double within = (number % PER_DOUBLING + 0.5) / PER_DOUBLING;
        return LEAST_SECONDS * Math.scalb(1 + within, number / PER_DOUBLING);
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
                return secondsOf(i);
            }
        }
        return secondsOf(CLASSES - 1);
    }
}
