package dev.waybill.spi;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the log lines about frequent occurrences: the first ones are logged at once; those that follow within a quiet time, mostly
 * {@link #QUIET}, are summarized in one line with their number and the last of them. Safe for use by many threads.
 *
 * @param <T> an occurrence; the last one is kept until it is logged
 */
public final class Bursts<T> {
    /** After this time without a line, or with a summary, single occurrences are logged again. */
    public static final Duration QUIET = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;
    private final Lines<T> lines;
    private final int each;
    private final long quietNanos;
    private int told;
    private boolean quiet;
    private long quietSince;
    private long more;
    private @Nullable T last;

    /** Writes the lines. */
    public interface Lines<T> {
        /** A single occurrence. */
        void first(T one);

        /**
         * @param more number of occurrences since the last line
         * @param last the last of them
         */
        void rest(long more, T last);

        /** An occurrence that is only counted. */
        default void counted(T one) {}
    }

    /** Logs one occurrence at once. */
    public Bursts(LongSupplier nanoTime, Lines<T> lines) {
        this(nanoTime, lines, 1);
    }

    /**
     * @param nanoTime the monotonic clock
     * @param each number of lines within {@link #QUIET}, before the others are summarized
     */
    public Bursts(LongSupplier nanoTime, Lines<T> lines, int each) {
        this(nanoTime, lines, each, QUIET);
    }

    /** @param quiet instead of {@link #QUIET} */
    public Bursts(LongSupplier nanoTime, Lines<T> lines, int each, Duration quiet) {
        this.nanoTime = nanoTime;
        this.lines = lines;
        this.each = each;
        this.quietNanos = quiet.toNanos();
    }

    public synchronized void add(T one) {
        tell();
        if (!quiet) {
            begin();
            lines.first(one);
        } else if (told < each && more == 0) {
            told++;
            lines.first(one);
        } else {
            more++;
            last = one;
            lines.counted(one);
        }
    }

    /** Logs the occurrences since the last line, unless it is too recent. */
    public synchronized void tell() {
        if (quiet && nanoTime.getAsLong() - quietSince >= quietNanos) {
            quiet = false;
            tellRest();
        }
    }

    /** Logs the occurrences since the last line. */
    public synchronized void tellRest() {
        T one = last;
        long count = more;
        if (one != null) {
            begin();
            lines.rest(count, one);
        }
    }

    /** Whether the next occurrence is logged at once and nothing is left to be summarized. */
    public synchronized boolean isOver() {
        return more == 0 && (!quiet || nanoTime.getAsLong() - quietSince >= quietNanos);
    }

    private void begin() {
        quiet = true;
        told = 1;
        quietSince = nanoTime.getAsLong();
        more = 0;
        last = null;
    }
}
