package dev.waybill.telemetry.metrics;

import io.micrometer.core.instrument.Clock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something outside this process, read again and again on a thread of its own. Whoever reads a gauge gets the last result from
 * memory and never waits: if the last reading failed, or another one has not ended in time, there is no result.
 */
final class Refreshed<T> implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Refreshed.class);

    private final String what;
    private final Supplier<T> reading;
    private final Consumer<T> whenRead;
    private final Refresh refresh;
    private final Clock clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private boolean failing;
    private volatile @Nullable Result<T> last;

    /** @param until when it is too old to be used, on the monotonic clock */
    private record Result<T>(T value, long until) {}

    /**
     * @param what for messages, such as: store orders
     * @param whenRead called with each result, on the same thread
     */
    Refreshed(String what, Supplier<T> reading, Consumer<T> whenRead, Refresh refresh, Clock clock) {
        this.what = what;
        this.reading = reading;
        this.whenRead = whenRead;
        this.refresh = refresh;
        this.clock = clock;
        this.thread = new Thread(this::readUntilClosed, "waybill-metrics-" + what.replace(' ', '-'));
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** The last result, if it is still valid. */
    Optional<T> current() {
        Result<T> result = last;
        return result != null && clock.monotonicTime() - result.until <= 0
                ? Optional.of(result.value)
                : Optional.empty();
    }

    private void readUntilClosed() {
        try {
            long pause;
            do {
                pause = readOnce();
            } while (!closed.await(pause, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Catches everything: without this thread the meters would have no values for the rest of the process.
     *
     * @return time until the next reading, in nanoseconds
     */
    private long readOnce() {
        try {
            long begun = clock.monotonicTime();
            T value = reading.get();
            long ended = clock.monotonicTime();
            long pause = refresh.pauseAfter(ended - begun);
            whenRead.accept(value);
            last = new Result<>(value, ended + pause + refresh.timeout().toNanos());
            if (failing) {
                log.info("Meters of {}: it can be read again.", what);
            }
            failing = false;
            return pause;
        } catch (RuntimeException | Error e) {
            last = null;
            if (!failing && closed.getCount() > 0) {
                log.warn(
                        "Meters of {}: it cannot be read ({}). Its gauges have no value until it can; reading it again every {} s.",
                        what,
                        e.getMessage(),
                        refresh.every().toMillis() / 1e3);
            }
            failing = true;
            return refresh.every().toNanos();
        }
    }

    /** Does not wait for a reading in progress. */
    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
