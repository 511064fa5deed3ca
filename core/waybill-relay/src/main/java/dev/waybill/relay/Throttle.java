package dev.waybill.relay;

import dev.waybill.spi.Limits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalInt;

/**
 * Holds a relay to so many events a second: a bucket of tokens, one for each event, that fills with time. A claim brings a tenth
 * of a second's worth at most and is made when all of that is there, so that a batch claimed ahead never brings more than may
 * go. One thread.
 */
final class Throttle {
    private static final double SHARE_OF_A_SECOND = 0.1;
    /** A loop that wakes late loses nothing; one that slept for long has not saved up a second claim. */
    private static final double MOST = 1.5;

    private static final double NANOS = 1e9;

    private final InstantSource clock;
    private final OptionalInt rate;
    private final int lump;
    private double tokens;
    /** How many in doubt may go for nothing now: as many in a second as may be sent. */
    private double free;

    private Instant filledAt;

    /** @param rate events a second; as many as there are if absent */
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
        // A clock that was set back has told of no time.
        double nanos = Math.max(0, Duration.between(filledAt, now).toNanos());
        filledAt = now;
        double filled = nanos / NANOS * rate.getAsInt();
        tokens = Math.min(lump * MOST, tokens + filled);
        free = Math.min(lump * MOST, free + filled);
        return tokens >= lump
                ? Duration.ZERO
                : Duration.ofNanos((long) Math.ceil((lump - tokens) / rate.getAsInt() * NANOS));
    }

    /** What a claim may bring now. */
    Limits within(Limits max) {
        return rate.isEmpty() ? max : max.within(lump);
    }

    void claimed(int events) {
        tokens -= events;
    }

    /** The place that so many of them go to is away: they use up nothing, unless they are more than may be sent. */
    void inDoubt(int events) {
        double back = Math.min(events, free);
        tokens += back;
        free -= back;
    }
}
