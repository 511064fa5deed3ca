package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.jdbc.kernel.TimeBisection;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalNumbers;
import dev.waybill.postgres.journal.JournalSql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of the journal that a replay reads: a range of seqs, and what is visible in a snapshot. {@link TimeBisection} finds the
 * range, so that a replay of yesterday does not read last year. {@link #SLACK} allows for events whose times are out of order, as
 * after a failover to a server with another clock.
 *
 * @param floor the seq before the first
 * @param high the last seq
 */
record ReplayRange(Snapshot snapshot, long floor, long high) {
    /** The seq is read after the snapshot was taken. */
    private static final String NOW = "select pg_current_snapshot()::text, " + SequenceGuard.LAST_VALUE
            + ", (select o.value from waybill.xid_offset o where o.only_row)";

    private static final String START = "select waybill.start_replay(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)::text";

    private static final String POSITION =
            "select greatest(base_floor, seq), high, target::text from waybill.relay where name = ? and target is not null";

    static final Duration SLACK = Duration.ofMinutes(5);

    private static final String COUNT = """
            select count(*) from waybill.event e
             cross join (select coalesce(?::timestamptz, '-infinity') as created_from,
                                coalesce(?::timestamptz, 'infinity') as created_until,
                                ?::text as type, ?::text as aggregate_type, ?::text as aggregate_id) q
             where e.seq > ? and e.seq <= ? and pg_visible_in_snapshot(e.xid, ?::pg_snapshot) and %s""".formatted(JournalSql.REPLAY_MATCHES);

    /** Seqs that one statement counts. */
    private static final long STEP = 100_000;

    /** Beyond so many statements the count is a lower bound. */
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

    /** @return what a replay has not read yet; empty once it has read everything */
    static Optional<ReplayRange> rest(JournalConnection connection, RelayName replay) throws SQLException {
        return connection.first(
                POSITION,
                row -> new ReplayRange(Snapshot.parse(row.getString(3)), row.getLong(1), row.getLong(2)),
                replay.value());
    }

    ReplaySize count(JournalConnection connection, ReplayQuery query) throws SQLException {
        JournalNumbers numbers = new JournalNumbers(connection);
        long events = 0;
        long from = floor;
        for (int step = 0; step < MOST_STEPS && from < high; step++) {
            long to = high - from > STEP ? from + STEP : high;
            List<@Nullable Object> arguments = values(query);
            arguments.addAll(List.of(from, to, SqlArgument.other(snapshot.toString())));
            events += connection.one(countStatement(query), row -> row.getLong(1), arguments.toArray());
            // Where a sequence was set forward, no event follows for a long way.
            from = numbers.event(to, high).map(found -> found.number() - 1).orElse(high);
        }
        return new ReplaySize(events, from >= high);
    }

    /** @return the range, with a new snapshot; empty if there is a relay of that name */
    Optional<ReplayRange> start(JournalConnection connection, RelayName name, ReplayQuery query, Actor by)
            throws SQLException {
        List<@Nullable Object> arguments = new ArrayList<>(List.of(name.value(), floor, high));
        arguments.addAll(values(query));
        arguments.addAll(List.of(query.inWords(), by.who(), by.why()));
        return connection
                .first(START, row -> row.getString(1), arguments.toArray())
                .map(taken -> new ReplayRange(Snapshot.parse(taken), floor, high));
    }

    /** Viewers may not read the aggregate's id: it is named only if the query has one. */
    private static String countStatement(ReplayQuery query) {
        return query.aggregateId().isPresent()
                ? COUNT
                : COUNT.replace(JournalSql.REPLAY_AGGREGATE_ID_MATCHES, "q.aggregate_id is null");
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
