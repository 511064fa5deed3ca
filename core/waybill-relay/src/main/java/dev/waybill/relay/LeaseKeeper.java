package dev.waybill.relay;

import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.LeasedSession;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews a session's lease and computes, by this machine's monotonic clock, how long it is certainly held. The clock is read
 * before the store is called, so that neither a slow answer nor a suspended process makes the lease look longer than it is.
 */
final class LeaseKeeper {
    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

    /** Publishing stops this fraction of the lease before its end. */
    private static final double MARGIN = 0.25;

    private final LeasedSession session;
    private final long sureNanos;
    private final LongSupplier nanoTime;
    private volatile long holdsUntil;
    private volatile boolean lost;

    /**
     * @param openedAt monotonic time before the session was opened
     */
    LeaseKeeper(LeasedSession session, Duration lease, LongSupplier nanoTime, long openedAt) {
        this.session = session;
        this.sureNanos = (long) (lease.toNanos() * (1 - MARGIN));
        this.nanoTime = nanoTime;
        this.holdsUntil = openedAt + sureNanos;
    }

    static Duration renewalInterval(Duration lease) {
        return lease.dividedBy(4);
    }

    /** How often a standby process tries to take the lease. Adds to the time without a relay after a crash. */
    static Duration standbyInterval(Duration lease) {
        return lease.dividedBy(10);
    }

    /**
     * Whether the lease is certainly still held. Once false it stays false, even if a renewal succeeds late, because events
     * held back meanwhile would be overtaken.
     */
    boolean holds() {
        if (left().isZero()) {
            lost = true;
        }
        return !lost;
    }

    /** From now on the lease counts as lost, whatever the store answers. */
    void lose() {
        lost = true;
    }

    /** How long the lease is certainly held if it is not renewed. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, holdsUntil - nanoTime.getAsLong()));
    }

    /**
     * Extends the lease in the store.
     *
     * @return false if the lease is lost and another try would be useless
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
            // The store may become available before the lease ends, so try again.
            log.debug("A lease could not be renewed; it is held for {} ms more.", left().toMillis(), e);
        } catch (Throwable e) {
            log.error(
                    "A lease could not be renewed because of a defect; it is held for {} ms more.",
                    left().toMillis(),
                    e);
        }
        return holds();
    }
}
