package dev.waybill.relay;

import dev.waybill.spi.Limits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalInt;

/**
 * Limits a relay to a number of events per second with a token bucket. A claim takes the tokens of a tenth of a second at most,
 * and waits until all of them are available, so that a batch claimed ahead never exceeds the rate. One thread.
 */
final class Throttle {
    private static final double SHARE_OF_A_SECOND = 0.1;
    /** A loop that wakes up late loses no tokens, but a long sleep does not save enough for a second claim. */
    private static final double MOST = 1.5;

    private static final double NANOS = 1e9;

    private final InstantSource clock;
    private final OptionalInt rate;
    private final int lump;
    private double tokens;
    /** Events in doubt that need no token now. Refilled at the same rate. */
    private double free;

    private Instant filledAt;

    /** @param rate events per second; unlimited if absent */
    Throttle(OptionalInt rate, InstantSource clock) {
        this.clock = clock;
        this.rate = rate;
        this.lump = (int) Math.max(1, rate.orElse(0) * SHARE_OF_A_SECOND);
        this.tokens = lump;
        this.free = lump;
        this.filledAt = clock.instant();
    }

    /** How long until the next claim; zero when it may be made now. */
    Duration untilNext() {
        if (rate.isEmpty()) {
            return Duration.ZERO;
        }
        Instant now = clock.instant();
        // If the clock was set back, no time has passed.
        double nanos = Math.max(0, Duration.between(filledAt, now).toNanos());
        filledAt = now;
        double filled = nanos / NANOS * rate.getAsInt();
        tokens = Math.min(lump * MOST, tokens + filled);
        free = Math.min(lump * MOST, free + filled);
        return tokens >= lump
                ? Duration.ZERO
                : Duration.ofNanos((long) Math.ceil((lump - tokens) / rate.getAsInt() * NANOS));
    }

    /** Limits of the next claim. */
    Limits within(Limits max) {
        return rate.isEmpty() ? max : max.within(lump);
    }

    void claimed(int events) {
        tokens -= events;
    }

    /** Returns the tokens of events in doubt, unless there are more of them than the rate allows. */
    void inDoubt(int events) {
        double back = Math.min(events, free);
        tokens += back;
        free -= back;
    }
}
