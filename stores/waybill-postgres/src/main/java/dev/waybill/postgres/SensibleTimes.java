package dev.waybill.postgres;

import java.time.Instant;

/** Years of four digits: what everybody can read and write. PostgreSQL knows more, and infinity. */
final class SensibleTimes {
    static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private SensibleTimes() {}

    static Instant nearest(Instant time) {
        if (time.isBefore(EARLIEST)) {
            return EARLIEST;
        }
        return time.isAfter(LATEST) ? LATEST : time;
    }
}
