package dev.waybill.spi.support;

import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * The clock of a store. Times of retries are kept in it, because the processes that write and read them may have clocks that
 * differ. Safe for use by many threads.
 */
public final class StoreClock implements InstantSource {
    private final InstantSource own;
    private final boolean follows;
    private volatile Duration ahead = Duration.ZERO;

    private StoreClock(InstantSource own, boolean follows) {
        this.own = own;
        this.follows = follows;
    }

    /** The time of the store, as far as {@link #read} has told. */
    public static StoreClock following(InstantSource own) {
        return new StoreClock(own, true);
    }

    /** A store whose clock is this one. */
    public static StoreClock same(InstantSource clock) {
        return new StoreClock(clock, false);
    }

    /** The store has just returned its time. */
    public void read(Instant now) {
        if (follows) {
            ahead = Duration.between(own.instant(), now);
        }
    }

    @Override
    public Instant instant() {
        return own.instant().plus(ahead);
    }

    /** The settlements of a relay, whose times are of this process's clock, with the times of the store. */
    public List<Settlement> translate(List<Settlement> settlements) {
        Duration difference = ahead;
        return difference.isZero() || settlements.stream().noneMatch(Settlement.RetryAt.class::isInstance)
                ? settlements
                : settlements.stream()
                        .map(each -> each instanceof Settlement.RetryAt retry
                                ? new Settlement.RetryAt(retry.at().plus(difference), retry.error(), retry.counted())
                                : each)
                        .toList();
    }
}
