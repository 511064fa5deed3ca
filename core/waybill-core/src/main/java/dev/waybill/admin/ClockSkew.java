package dev.waybill.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Measures the difference between a database's clock and this machine's, for the check of a store.
 *
 * @param asked when the database's time was requested
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

    /** Assumes the smallest skew that the round trip allows. */
    public Finding finding(double told, Instant answered) {
        double early = asked.toEpochMilli() / 1000.0 - told;
        double late = told - answered.toEpochMilli() / 1000.0;
        double skew = Math.max(0, Math.max(early, late));
        if (skew * 1000 < TOLERABLE.toMillis()) {
            return Finding.fine("clock", "the database's clock and this machine's clock agree");
        }
        return Finding.warning(
                "clock",
                String.format(
                        Locale.ROOT,
                        "the database's clock is %.1f s %s this machine's",
                        skew,
                        early > late ? "behind" : "ahead of"),
                "Synchronize both with the same time servers. Leases and retries use only the database's clock and are not"
                        + " affected; displayed ages are wrong by this difference.");
    }
}
