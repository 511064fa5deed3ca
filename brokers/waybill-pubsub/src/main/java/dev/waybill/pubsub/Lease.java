package dev.waybill.pubsub;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a pulled letter is withheld from other readers, by the local clock, counted from before the request. An operation on a
 * letter takes at most two requests, to send its message and to acknowledge it; a lease that could end meanwhile is renewed first.
 *
 * @param time the requested deadline
 * @param nanoClock the monotonic clock
 */
record Lease(Duration time, LongSupplier nanoClock) {
    /** The longest deadline Pub/Sub allows. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final Duration BESIDE_REQUESTS = Duration.ofSeconds(60);
    /** A lease of this age is renewed. */
    private static final Duration OLD = Duration.ofSeconds(20);
    /** A lease that ends within this time may have ended. */
    private static final Duration DOUBT = Duration.ofSeconds(5);

    /** The shortest default deadline of a subscription. */
    private static final Duration JUST_TAKEN = Duration.ofSeconds(5);

    /** @param request maximum duration of a request */
    static Lease of(Duration request, LongSupplier nanoClock) {
        Duration wanted = request.multipliedBy(2).plus(BESIDE_REQUESTS);
        return new Lease(wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST, nanoClock);
    }

    long now() {
        return nanoClock.getAsLong();
    }

    /** @return when a lease ends that is requested now */
    long end() {
        return now() + time.toNanos();
    }

    /** @return when the lease of a message ends that was just delivered */
    long endOfTaken() {
        return now() + JUST_TAKEN.toNanos();
    }

    boolean isOld(long end) {
        return end - now() < time.minus(OLD).toNanos();
    }

    /** Whether the lease may have ended. */
    boolean isInDoubt(long end) {
        return end - now() < DOUBT.toNanos();
    }

    boolean isOver(long end) {
        return end - now() < 0;
    }
}
