package dev.waybill.relay;

import dev.waybill.spi.Limits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalInt;

/**
 * Holds a relay to so many events a second: a bucket of tokens, one for each event, that fills with time and holds a tenth of a
 * second's worth. A claim is made when a quarter of that is there, so that a slow rate does not mean many small claims. One
 * thread.
 */
final class Throttle {
    private static final double SHARE_OF_A_SECOND = 0.1;
    private static final double ENOUGH = 0.25;
    private static final double NANOS = 1e9;

    private final InstantSource clock;
    private final OptionalInt rate;
    private final double capacity;
    private final double enough;
    private double tokens;
    private Instant filledAt;

    /** @param rate events a second; as many as there are if absent */
    Throttle(OptionalInt rate, InstantSource clock) {
        this.clock = clock;
        this.rate = rate;
        this.capacity = Math.max(1, rate.orElse(0) * SHARE_OF_A_SECOND);
        this.enough = Math.max(1, capacity * ENOUGH);
        this.tokens = capacity;
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
        tokens = Math.min(capacity, tokens + nanos / NANOS * rate.getAsInt());
        return tokens >= enough
                ? Duration.ZERO
                : Duration.ofNanos((long) Math.ceil((enough - tokens) / rate.getAsInt() * NANOS));
    }

    /** What a claim may bring now. */
    Limits within(Limits max) {
        return rate.isEmpty() ? max : new Limits(Math.max(1, Math.min(max.events(), (int) tokens)), max.bytes());
    }

    void claimed(int events) {
        tokens -= events;
    }
}
