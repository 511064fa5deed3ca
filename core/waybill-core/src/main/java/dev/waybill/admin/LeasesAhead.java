package dev.waybill.admin;

import java.time.Duration;

/** The finding about leases that end later than leases do, because the database's clock was set back after they were taken. */
public final class LeasesAhead {
    /** A lease lasts for seconds, or a few minutes. */
    public static final Duration FAR = Duration.ofMinutes(10);

    private LeasesAhead() {}

    /** @param relays those whose leases end in more than {@link #FAR}, each with the time */
    public static Finding finding(String relays) {
        return Finding.warning(
                "leases",
                "leases end far ahead: " + relays
                        + "; the database's clock was probably set back, or a standby was promoted"
                        + " whose clock is behind",
                "Correct the clock of the database's server. A process takes such a relay over at once, unless a tenth of that"
                        + " time is the length of its own leases.");
    }
}
