package dev.waybill;

import dev.waybill.spi.FiniteTime;
import java.time.Duration;
import java.util.Optional;

/**
 * When a failed event is sent again.
 *
 * @param retries number of attempts after the first one; then the event is dead. {@link #UNLIMITED} for no maximum
 * @param first the wait before the first retry
 * @param factor ratio of each wait to the previous one
 * @param max the longest wait
 */
public record RetryPolicy(int retries, Duration first, double factor, Duration max) {
    /** As the number of retries: an event is sent again until it succeeds or is refused. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final RetryPolicy DEFAULTS = new RetryPolicy(9, Duration.ofMillis(100), 2, Duration.ofSeconds(30));

    /** Nine retries over 51 seconds: after 100 ms, then each wait twice as long as the one before, 30 s at most. */
    public static RetryPolicy defaults() {
        return DEFAULTS;
    }

    public RetryPolicy {
        if (retries < 0) {
            throw new IllegalArgumentException("retries is " + retries + ": use 0 or more, or RetryPolicy.UNLIMITED.");
        }
        if (first.isNegative() || max.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "first is " + first + " and max is " + max + ": first must not be negative nor above max.");
        }
        FiniteTime.require("max", max);
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException("factor is " + factor + ": use 1 or more.");
        }
    }

    public RetryPolicy retries(int count) {
        return new RetryPolicy(count, first, factor, max);
    }

    /** Retries without a maximum. */
    public RetryPolicy unlimited() {
        return retries(UNLIMITED);
    }

    public boolean isUnlimited() {
        return retries == UNLIMITED;
    }

    public RetryPolicy first(Duration wait) {
        return new RetryPolicy(retries, wait, factor, max);
    }

    public RetryPolicy factor(double growth) {
        return new RetryPolicy(retries, first, growth, max);
    }

    public RetryPolicy max(Duration wait) {
        return new RetryPolicy(retries, first, factor, wait);
    }

    /**
     * @param attempts number of attempts so far, including the last one
     * @return the wait before the next attempt; empty if there is none
     */
    public Optional<Duration> afterAttempt(int attempts) {
        if (!isUnlimited() && attempts > retries) {
            return Optional.empty();
        }
        double wait = seconds(first) * Math.pow(factor, Math.max(0, attempts - 1));
        return Optional.of(wait >= seconds(max) ? max : Duration.ofNanos(Math.round(wait * 1e9)));
    }

    /** An attempt for messages, such as "attempt 4 of 10", or "attempt 4" if there is no maximum. */
    public String words(int attempt) {
        return "attempt " + attempt + (isUnlimited() ? "" : " of " + (retries + 1));
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }
}
