package dev.waybill.jdbc.kernel;

import dev.waybill.admin.EventFilter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The numbers among which the events of a time range are. Their time has no index, but grows nearly with the number: both are
 * given in the same INSERT. So the ends are found by bisection along the primary key, with some slack; who reads between them looks at the
 * times themselves.
 *
 * @param from the first
 * @param below before this one
 */
public record SeqRange(long from, long below) {
    /** How far apart events may be in time that are next to each other in seq. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    static final SeqRange EVERYTHING = new SeqRange(Long.MIN_VALUE, Long.MAX_VALUE);

    /** Where events are numbered. */
    public interface Numbered {
        SeqRange all() throws SQLException;

        /** The first event from a number on. */
        Optional<Event> firstFrom(long seq) throws SQLException;
    }

    public record Event(long seq, Instant createdAt) {}

    public static SeqRange of(EventFilter filter, Numbered events) throws SQLException {
        if (filter.from().isEmpty() && filter.until().isEmpty()) {
            return EVERYTHING;
        }
        SeqRange all = events.all();
        return new SeqRange(
                filter.from().isPresent() ? all.firstSince(filter.from().get().minus(SLACK), events) : all.from,
                filter.until().isPresent() ? all.firstSince(filter.until().get().plus(SLACK), events) : Long.MAX_VALUE);
    }

    private long firstSince(Instant time, Numbered events) throws SQLException {
        long low = from;
        long high = below;
        while (low < high) {
            long middle = low + (high - low) / 2;
            Optional<Event> event = events.firstFrom(middle);
            if (event.isPresent() && event.get().createdAt().isBefore(time)) {
                low = event.get().seq() + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** What both have in common. */
    public SeqRange and(SeqRange other) {
        return new SeqRange(Math.max(from, other.from), Math.min(below, other.below));
    }
}
