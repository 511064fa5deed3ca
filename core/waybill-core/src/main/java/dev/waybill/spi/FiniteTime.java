package dev.waybill.spi;

import java.time.Duration;

/** The bound of times in options: longer ones may not fit in nanoseconds. */
public final class FiniteTime {
    private static final Duration LONGEST = Duration.ofDays(100_000);

    private FiniteTime() {}

    /** @throws IllegalArgumentException if the time is longer than 100,000 days */
    public static void require(String what, Duration time) {
        if (time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " is " + time + ": use at most " + LONGEST.toDays() + " days.");
        }
    }
}
