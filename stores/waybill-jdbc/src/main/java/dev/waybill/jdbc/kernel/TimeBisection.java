package dev.waybill.jdbc.kernel;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds a time among numbered events without an index by time. An event gets its time and its number at about the same moment,
 * so times grow with numbers but for some disorder, which the caller allows for: two dozen looks along the primary key are
 * enough. What is found is where to look, and each event's own time decides.
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

    /** The number of the last event that was created before a time, as far as times grow with numbers; or 0. */
    public long lastBefore(Instant time, long last) throws SQLException {
        return lastBefore(time, 0, last);
    }

    /** The same among the events above one number and up to another; the first number if there is none. */
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
