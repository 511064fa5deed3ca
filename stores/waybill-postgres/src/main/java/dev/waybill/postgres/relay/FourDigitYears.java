package dev.waybill.postgres.relay;

import java.time.Instant;

/** Limits times to years of four digits. PostgreSQL also has earlier and later ones, and infinity. */
final class FourDigitYears {
    static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private FourDigitYears() {}

    static Instant nearest(Instant time) {
        if (time.isBefore(EARLIEST)) {
            return EARLIEST;
        }
        return time.isAfter(LATEST) ? LATEST : time;
    }
}
