package dev.waybill.spi.support;

import java.time.Duration;

/**
 * Tells a lease that is held from one that was taken before the clock was set back, or on a server whose clock was ahead. The length
 * of another process's lease is not stored; it may be up to ten times the own one, and a minute in any case.
 */
public final class LeaseBound {
    private static final int FACTOR = 10;
    private static final Duration LEAST = Duration.ofMinutes(1);

    private LeaseBound() {}

    /** The longest time for which a lease that somebody holds may still last. One that ends later is free. */
    public static Duration of(Duration ownLease) {
        Duration longest = ownLease.multipliedBy(FACTOR);
        return longest.compareTo(LEAST) < 0 ? LEAST : longest;
    }
}
