package dev.waybill.relay;

import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.RelaySession;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews a session's lease and knows, by this machine's monotonic clock, until when it surely holds. The clock is read before
 * the store is asked, so that a slow answer, or a process that was stopped meanwhile, never makes the lease look longer than
 * the store thinks it is.
 */
final class LeaseKeeper {
    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

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

    /** How often one that stands by asks for the lease: it adds to the time that nobody publishes. */
    static Duration standbyInterval(Duration lease) {
        return lease.dividedBy(10);
    }

    /**
     * Whether the lease surely still holds. Once it does not it never does again, even if a renewal succeeds late: what was
     * held back meanwhile would be overtaken.
     */
    boolean holds() {
        if (left().isZero()) {
            lost = true;
        }
        return !lost;
    }

    /** From now on it does not hold, whatever the store says. */
    void lose() {
        lost = true;
    }

    /** How long it surely holds if it is not renewed. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, holdsUntil - nanoTime.getAsLong()));
    }

    /**
     * Asks the store for more time.
     *
     * @return false once there is no use in asking again
     */
    boolean renewOnce() {
        long askedAt = nanoTime.getAsLong();
        try {
            if (!session.renew()) {
                lost = true;
            } else if (holds()) {
                holdsUntil = askedAt + sureNanos;
            }
        } catch (LeaseLostException e) {
            lost = true;
        } catch (RuntimeException e) {
            // The store may be back before the lease ends; until then it is asked again.
            log.debug("A lease was not renewed; it holds for {} ms more.", left().toMillis(), e);
        } catch (Throwable e) {
            log.error("A defect kept a lease from being renewed; it holds for {} ms more.", left().toMillis(), e);
        }
        return holds();
    }
}
