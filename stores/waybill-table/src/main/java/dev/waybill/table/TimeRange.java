package dev.waybill.table;

import java.time.Instant;
import java.util.Optional;

/**
 * From one time on and before another.
 *
 * @param from from the beginning if absent
 * @param until without an end if absent
 */
public record TimeRange(Optional<Instant> from, Optional<Instant> until) {
    public static final TimeRange ALWAYS = new TimeRange(Optional.empty(), Optional.empty());

    public TimeRange {
        if (from.isPresent() && until.isPresent() && !from.get().isBefore(until.get())) {
            throw new IllegalArgumentException("From " + from.get() + " until " + until.get()
                    + " there is no time: the end must be after the beginning.");
        }
    }

    public TimeRange from(Instant time) {
        return new TimeRange(Optional.of(time), until);
    }

    public TimeRange until(Instant time) {
        return new TimeRange(from, Optional.of(time));
    }
}
