package dev.waybill.jdbc.kernel;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds a time among numbered events without an index on the time. An event gets its time and its number at about the same
 * moment, so times grow with numbers except for some disorder, for which the caller allows. About two dozen reads along the
 * primary key are enough. The result is approximate: the caller checks the time of each event.
 */
public final class TimeBisection {
    private final Next next;

    public record Found(long number, Instant createdAt) {}

    /** The first event above one number and up to another. */
    public interface Next {
        Optional<Found> event(long above, long upTo) throws SQLException;
    }

    public TimeBisection(Next next) {
        this.next = next;
    }

    /** Approximate number of the last event created before a time; 0 if there is none. */
    public long lastBefore(Instant time, long last) throws SQLException {
        return lastBefore(time, 0, last);
    }

    /** The same within a range of numbers; the start of the range if there is none. */
    long lastBefore(Instant time, long above, long last) throws SQLException {
        long before = above;
        long end = last;
        while (before < end) {
            long middle = before + (end - before) / 2;
            Optional<Found> found = next.event(middle, end);
            if (found.isPresent() && found.get().createdAt().isBefore(time)) {
                before = found.get().number();
            } else {
                end = middle;
            }
        }
        return before;
    }
}
