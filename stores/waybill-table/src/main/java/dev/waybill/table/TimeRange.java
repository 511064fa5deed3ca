package dev.waybill.table;

import java.time.Instant;
import java.util.Optional;

/**
 * A range of times.
 *
 * @param from inclusive; no lower bound if absent
 * @param until exclusive; no upper bound if absent
 */
public record TimeRange(Optional<Instant> from, Optional<Instant> until) {
    public static final TimeRange ALWAYS = new TimeRange(Optional.empty(), Optional.empty());

    public TimeRange {
        if (from.isPresent() && until.isPresent() && !from.get().isBefore(until.get())) {
            throw new IllegalArgumentException("The range from " + from.get() + " until " + until.get()
                    + " is empty: the end must be after the beginning.");
        }
    }

    public TimeRange from(Instant time) {
        return new TimeRange(Optional.of(time), until);
    }

    public TimeRange until(Instant time) {
        return new TimeRange(from, Optional.of(time));
    }
}
