package dev.waybill.spi.support;

import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a store. Times of retries are kept in it, because the processes that write and read them may have clocks that
 * differ. Between two readings it goes on with a monotonic clock: the process's own clock may be corrected meanwhile. Safe for use by
 * many threads.
 */
public final class StoreClock implements InstantSource {
    private final InstantSource own;
    private final @Nullable LongSupplier nanoTime;
    private volatile @Nullable Reading last;

    private record Reading(Instant time, long nanos) {}

    private StoreClock(InstantSource own, @Nullable LongSupplier nanoTime) {
        this.own = own;
        this.nanoTime = nanoTime;
    }

    /**
     * The time of the store, as far as {@link #read} has told.
     *
     * @param own the clock of this process, whose times settlements have
     * @param nanoTime the monotonic clock
     */
    public static StoreClock following(InstantSource own, LongSupplier nanoTime) {
        return new StoreClock(own, nanoTime);
    }

    /** A store whose clock is this one. */
    public static StoreClock same(InstantSource clock) {
        return new StoreClock(clock, null);
    }

    /** The store has just returned its time. */
    public void read(Instant now) {
        if (nanoTime != null) {
            last = new Reading(now, nanoTime.getAsLong());
        }
    }

    @Override
    public Instant instant() {
        Reading reading = last;
        return reading == null || nanoTime == null
                ? own.instant()
                : reading.time.plusNanos(nanoTime.getAsLong() - reading.nanos);
    }

    /** The settlements of a relay, whose times are of this process's clock, with the times of the store. */
    public List<Settlement> translate(List<Settlement> settlements) {
        if (last == null || settlements.stream().noneMatch(Settlement.RetryAt.class::isInstance)) {
            return settlements;
        }
        Duration ahead = Duration.between(own.instant(), instant());
        return settlements.stream()
                .map(each -> each instanceof Settlement.RetryAt retry
                        ? new Settlement.RetryAt(retry.at().plus(ahead), retry.error(), retry.counted())
                        : each)
                .toList();
    }
}
