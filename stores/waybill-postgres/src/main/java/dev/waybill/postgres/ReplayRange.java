package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.jdbc.kernel.TimeBisection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    private static final String START = "select waybill.start_replay(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)::text";

    /** Where its reading stands. */
    private static final String POSITION =
            "select greatest(base_floor, seq), high, target::text from waybill.relay where name = ? and target is not null";

    static final Duration SLACK = Duration.ofMinutes(5);

    /** So many seqs are counted with one statement, and so many statements are worth waiting for. */
    private static final long STEP = 100_000;

    private static final int MOST_STEPS = 100;

    static ReplayRange now(JournalConnection connection, ReplayQuery query) throws SQLException {
        ReplayRange all = connection.one(
                NOW, row -> new ReplayRange(Snapshot.parse(row.getString(1)).plus(row.getLong(3)), 0, row.getLong(2)));
        long last = all.high();
        JournalNumbers numbers = new JournalNumbers(connection);
        TimeBisection times = new TimeBisection(numbers);
        long floor = query.from().isPresent()
                ? times.lastBefore(query.from().get().minus(SLACK), last)
                : numbers.event(0, last).map(TimeBisection.Found::number).orElse(1L) - 1;
        long high =
                query.until().isPresent() ? times.lastBefore(query.until().get().plus(SLACK), last) : last;
        return new ReplayRange(all.snapshot(), Math.max(0, floor), high);
    }

    /** What a replay has not yet read; nothing once it has read all. */
    static Optional<ReplayRange> rest(JournalConnection connection, RelayName replay) throws SQLException {
        return connection.first(
                POSITION,
                row -> new ReplayRange(Snapshot.parse(row.getString(3)), row.getLong(1), row.getLong(2)),
                replay.value());
    }

    ReplaySize count(JournalConnection connection, ReplayQuery query) throws SQLException {
        long events = 0;
        long from = floor;
        for (int step = 0; step < MOST_STEPS && from < high; step++) {
            long to = Math.min(high, from + STEP);
            List<@Nullable Object> arguments = values(query);
            arguments.addAll(List.of(from, to, SqlArgument.other(snapshot.toString())));
            events += connection.one(PostgresReplaySql.count(query), row -> row.getLong(1), arguments.toArray());
            from = to;
        }
        return new ReplaySize(events, from >= high);
    }

    /** @return what the replay may send, by a snapshot of its own; nothing when there is a relay of that name */
    Optional<ReplayRange> start(JournalConnection connection, RelayName name, ReplayQuery query, Actor by)
            throws SQLException {
        List<@Nullable Object> arguments = new ArrayList<>(List.of(name.value(), floor, high));
        arguments.addAll(values(query));
        arguments.addAll(List.of(query.inWords(), by.who(), by.why()));
        return connection
                .first(START, row -> row.getString(1), arguments.toArray())
                .map(seen -> new ReplayRange(Snapshot.parse(seen), floor, high));
    }

    private static List<@Nullable Object> values(ReplayQuery query) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(SqlArgument.time(query.from().orElse(null)));
        values.add(SqlArgument.time(query.until().orElse(null)));
        values.add(query.type().orElse(null));
        values.add(query.aggregateType().orElse(null));
        values.add(query.aggregateId().orElse(null));
        return values;
    }
}
