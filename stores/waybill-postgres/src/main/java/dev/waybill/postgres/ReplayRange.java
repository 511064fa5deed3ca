package dev.waybill.postgres;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.jdbc.kernel.TimeBisection;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.util.Optional;

/**
 * The part of the journal in which everything lies that a replay may send: above one seq, up to another, visible in a snapshot.
 *
 * <p>A replay of yesterday must not walk over last year: {@link TimeBisection} finds where to look. {@link #SLACK} is the
 * disorder that is allowed for, as between the clocks of a server and of the one that took over from it.
 *
 * @param floor lies before all of them
 * @param high none is higher
 */
record ReplayRange(Snapshot snapshot, long floor, long high) {
    /** What a replay that begins now may send: the seq is read after the snapshot was taken. */
    private static final String NOW = "select pg_current_snapshot()::text, " + PostgresJournalSql.LAST_VALUE
            + ", (select o.value from waybill.xid_offset o where o.only_row)";

    /** The first event after a place, for finding a time by bisection. */
    private static final String NEXT_EVENT =
            "select seq, created_at from waybill.event where seq > ? and seq <= ? order by seq limit 1";

    private static final String START = "select waybill.start_replay(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)::text";

    /** Where its reading stands. */
    private static final String POSITION =
            "select greatest(base_floor, seq), high, target::text from waybill.relay where name = ?";

    static final Duration SLACK = Duration.ofMinutes(5);

    /** So many seqs are counted with one statement, and so many statements are worth waiting for. */
    private static final long STEP = 100_000;

    private static final int MOST_STEPS = 100;

    static ReplayRange now(JournalConnection connection, ReplayQuery query) throws SQLException {
        Snapshot snapshot;
        long last;
        try (ResultSet row = connection.prepare(NOW).executeQuery()) {
            row.next();
            snapshot = Snapshot.parse(row.getString(1)).plus(row.getLong(3));
            last = row.getLong(2);
        }
        TimeBisection times = new TimeBisection((above, upTo) -> next(connection, above, upTo));
        long floor = query.from().isPresent()
                ? times.lastBefore(query.from().get().minus(SLACK), last)
                : first(connection, last) - 1;
        long high =
                query.until().isPresent() ? times.lastBefore(query.until().get().plus(SLACK), last) : last;
        return new ReplayRange(snapshot, Math.max(0, floor), high);
    }

    /** What a replay has not yet read; nothing once it has read all. */
    static Optional<ReplayRange> rest(JournalConnection connection, RelayName replay) throws SQLException {
        PreparedStatement statement = connection.prepare(POSITION);
        statement.setString(1, replay.value());
        try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getString(3) != null
                    ? Optional.of(new ReplayRange(Snapshot.parse(row.getString(3)), row.getLong(1), row.getLong(2)))
                    : Optional.empty();
        }
    }

    private static long first(JournalConnection connection, long last) throws SQLException {
        return next(connection, 0, last).map(TimeBisection.Found::number).orElse(1L);
    }

    private static Optional<TimeBisection.Found> next(JournalConnection connection, long above, long upTo)
            throws SQLException {
        PreparedStatement statement = connection.prepare(NEXT_EVENT);
        statement.setLong(1, above);
        statement.setLong(2, upTo);
        try (ResultSet row = statement.executeQuery()) {
            return row.next()
                    ? Optional.of(new TimeBisection.Found(
                            row.getLong(1), row.getTimestamp(2).toInstant()))
                    : Optional.empty();
        }
    }

    ReplaySize count(JournalConnection connection, ReplayQuery query) throws SQLException {
        long events = 0;
        long from = floor;
        for (int step = 0; step < MOST_STEPS && from < high; step++) {
            PreparedStatement statement = connection.prepare(PostgresReplaySql.count(query));
            bind(statement, 1, query);
            statement.setLong(6, from);
            from = Math.min(high, from + STEP);
            statement.setLong(7, from);
            statement.setObject(8, snapshot.toString(), Types.OTHER);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                events += row.getLong(1);
            }
        }
        return new ReplaySize(events, from >= high);
    }

    /** @return what the replay may send, by a snapshot of its own; nothing when there is a relay of that name */
    Optional<ReplayRange> start(JournalConnection connection, RelayName name, ReplayQuery query, Actor by)
            throws SQLException {
        PreparedStatement statement = connection.prepare(START);
        statement.setString(1, name.value());
        statement.setLong(2, floor);
        statement.setLong(3, high);
        bind(statement, 4, query);
        statement.setString(9, query.inWords());
        statement.setString(10, by.who());
        statement.setString(11, by.why());
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return Optional.ofNullable(row.getString(1))
                    .map(seen -> new ReplayRange(Snapshot.parse(seen), floor, high));
        }
    }

    private static void bind(PreparedStatement statement, int first, ReplayQuery query) throws SQLException {
        statement.setTimestamp(first, query.from().map(Timestamp::from).orElse(null));
        statement.setTimestamp(first + 1, query.until().map(Timestamp::from).orElse(null));
        statement.setString(first + 2, query.type().orElse(null));
        statement.setString(first + 3, query.aggregateType().orElse(null));
        statement.setString(first + 4, query.aggregateId().orElse(null));
    }
}
