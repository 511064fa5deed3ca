package dev.waybill.jdbc.kernel;

import dev.waybill.admin.EventFilter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * The range of numbers that contains the events of a time range. The time has no index, but grows almost like the number, because
 * both are assigned in the same INSERT. So the ends are found by bisection along the primary key, with some slack; the reader
 * checks the time of each event.
 *
 * @param from inclusive
 * @param below exclusive
 */
public record SeqRange(long from, long below) {
    /** Maximum disorder between time and seq. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    static final SeqRange EVERYTHING = new SeqRange(Long.MIN_VALUE, Long.MAX_VALUE);

    /** A table with numbered events. */
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

    /** The intersection of both ranges. */
    public SeqRange and(SeqRange other) {
        return new SeqRange(Math.max(from, other.from), Math.min(below, other.below));
    }
}
