package dev.waybill.relay;

import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Renews a session's lease and knows, by this machine's monotonic clock, until when it surely holds. The clock is read before
 * the store is asked, so that a slow answer, or a process that was stopped meanwhile, never makes the lease look longer than
 * the store thinks it is.
 */
final class LeaseKeeper {
    /** Publishing ends so much of the lease before its end. */
    private static final double MARGIN = 0.25;

    private final RelaySession session;
    private final long sureNanos;
    private final LongSupplier nanoTime;
    private volatile long holdsUntil;
    private volatile boolean lost;

    /**
     * @param openedAt the monotonic clock before the session was opened
     */
    LeaseKeeper(RelaySession session, Duration lease, LongSupplier nanoTime, long openedAt) {
        this.session = session;
        this.sureNanos = (long) (lease.toNanos() * (1 - MARGIN));
        this.nanoTime = nanoTime;
        this.holdsUntil = openedAt + sureNanos;
    }

    static Duration renewalInterval(Duration lease) {
        return lease.dividedBy(4);
    }

    /** Whether the lease surely still holds. */
    boolean holds() {
        return !lost && nanoTime.getAsLong() - holdsUntil < 0;
    }

    /**
     * Asks the store for more time.
     *
     * @return false once there is no use in asking again
     */
    boolean renewOnce() {
        long askedAt = nanoTime.getAsLong();
        try {
            if (session.renew()) {
                holdsUntil = askedAt + sureNanos;
            } else {
                lost = true;
            }
        } catch (StoreException e) {
            // The store may be back before the lease ends; until then it is asked again.
            lost = lost || !holds();
        }
        return !lost;
    }
}
