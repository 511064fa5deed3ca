package dev.waybill.tck;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** A clock that stands still until a test moves it. Safe for use by many threads. */
public final class ManualClock implements InstantSource {
    private Instant now;

    /** Starts at the current time in whole milliseconds, which every database stores without rounding. */
    public ManualClock() {
        this(Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    public ManualClock(Instant start) {
        this.now = start;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    public synchronized void advance(Duration step) {
        now = now.plus(step);
    }

    @Override
    public String toString() {
        return "ManualClock[" + instant() + "]";
    }
}
