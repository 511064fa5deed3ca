package dev.waybill.pubsub;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a letter that was taken is kept from others, by our own clock, counted from before Pub/Sub was asked. What is begun
 * with a letter takes two requests at most, to send its message and to acknowledge it: before that a lease is renewed that
 * could end meanwhile.
 *
 * @param time what Pub/Sub is asked for
 * @param nanoClock monotonic
 */
record Lease(Duration time, LongSupplier nanoClock) {
    /** Pub/Sub keeps nothing for longer. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final Duration BESIDE_REQUESTS = Duration.ofSeconds(60);
    /** A lease of this age is renewed. */
    private static final Duration OLD = Duration.ofSeconds(20);
    /** What ends so soon may have ended. */
    private static final Duration DOUBT = Duration.ofSeconds(5);

    /** Every subscription keeps what it gave out for longer than this, without being asked to. */
    private static final Duration JUST_TAKEN = Duration.ofSeconds(5);

    /** @param request how long a request may take */
    static Lease of(Duration request, LongSupplier nanoClock) {
        Duration wanted = request.multipliedBy(2).plus(BESIDE_REQUESTS);
        return new Lease(wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST, nanoClock);
    }

    long now() {
        return nanoClock.getAsLong();
    }

    /** @return when the lease ends that is asked for now */
    long end() {
        return now() + time.toNanos();
    }

    /** @return when the lease ends of what was given out just now */
    long endOfTaken() {
        return now() + JUST_TAKEN.toNanos();
    }

    boolean isOld(long end) {
        return end - now() < time.minus(OLD).toNanos();
    }

    /** Whether it may be somebody else's. */
    boolean isInDoubt(long end) {
        return end - now() < DOUBT.toNanos();
    }

    boolean isOver(long end) {
        return end - now() < 0;
    }
}
