package dev.waybill.spi;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of things that may come in bursts: of the first at once; of those that follow within {@link #QUIET} in one line with
 * their number and the last of them. Whoever causes a million of them does not fill the log with them. Safe for many threads.
 *
 * @param <T> what is told of; the last one is kept until it was
 */
public final class Bursts<T> {
    /** Between two lines. */
    public static final Duration QUIET = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;
    private final Lines<T> lines;
    private boolean quiet;
    private long quietSince;
    private long more;
    private @Nullable T last;

    /** Where it is told. */
    public interface Lines<T> {
        /** Of one alone. */
        void first(T one);

        /**
         * @param more how many there were since the last line
         * @param last the last of them
         */
        void rest(long more, T last);
    }

    /** @param nanoTime the monotonic clock */
    public Bursts(LongSupplier nanoTime, Lines<T> lines) {
        this.nanoTime = nanoTime;
        this.lines = lines;
    }

    public synchronized void add(T one) {
        tell();
        if (quiet) {
            more++;
            last = one;
        } else {
            begin();
            lines.first(one);
        }
    }

    /** Tells of those since the last line, when that is long enough ago. */
    public synchronized void tell() {
        if (quiet && nanoTime.getAsLong() - quietSince >= QUIET.toNanos()) {
            quiet = false;
            tellRest();
        }
    }

    /** Tells of those since the last line. */
    public synchronized void tellRest() {
        T one = last;
        long count = more;
        if (one != null) {
            begin();
            lines.rest(count, one);
        }
    }

    private void begin() {
        quiet = true;
        quietSince = nanoTime.getAsLong();
        more = 0;
        last = null;
    }
}
