package dev.waybill.jdbc.kernel;

import dev.waybill.admin.EventFilter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

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
    public interface Numbered extends TimeBisection.Next {
        SeqRange all() throws SQLException;
    }

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
        return new TimeBisection(events).lastBefore(time, from - 1, below - 1) + 1;
    }

    /** What both have in common. */
    public SeqRange and(SeqRange other) {
        return new SeqRange(Math.max(from, other.from), Math.min(below, other.below));
    }
}
