package dev.waybill.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * How far a database's clock is from ours, for those who look a store over.
 *
 * @param asked when it was asked for the time
 */
public record ClockSkew(Instant asked) {
    private static final Duration TOLERABLE = Duration.ofSeconds(1);

    public static ClockSkew begin() {
        return new ClockSkew(Instant.now());
    }

    /** @param told the database's time, in seconds since 1970 */
    public Finding finding(double told) {
        return finding(told, Instant.now());
    }

    /** Somewhere between the question and the answer it looked at its clock; the benefit of the doubt is its. */
    public Finding finding(double told, Instant answered) {
        double early = asked.toEpochMilli() / 1000.0 - told;
        double late = told - answered.toEpochMilli() / 1000.0;
        double skew = Math.max(0, Math.max(early, late));
        if (skew * 1000 < TOLERABLE.toMillis()) {
            return Finding.fine("clock", "the database's and this machine's agree");
        }
        return Finding.warning(
                "clock",
                String.format(
                        Locale.ROOT,
                        "the database's is %.1f s %s this machine's",
                        skew,
                        early > late ? "behind" : "ahead of"),
                "Let both follow the same time servers. Leases go by the database's clock and hold; times of retries and the"
                        + " ages that are shown are off by so much.");
    }
}
