package dev.waybill.postgres.admin;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventSummary;
import dev.waybill.jdbc.kernel.SeqRange;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalNumbers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of the journal's events, newest first. The journal has no indexes for filters, which would slow every append: a page
 * reads a bounded range of seqs, and returns where to continue. Dead, parked and discarded events are read along their own
 * indexes.
 */
final class JournalListing {
    private static final String SUMMARY =
            "e.seq, e.id, e.type, e.aggregate_type, e.created_at, " + FilterSql.SHOWN_AGGREGATE_ID;

    /** Events in a range of seqs. There is no index for filters, so the range bounds the work. */
    private static final String ANY_STATE = """
            select %s from waybill.event e
             where e.seq < ? and e.seq >= ? and %s order by e.seq desc limit ?""".formatted(SUMMARY, FilterSql.MATCHES);

    private static final String PASSED = """
            (pg_visible_in_snapshot(e.xid, r.base)
             or (r.target is not null and e.seq <= r.seq and pg_visible_in_snapshot(e.xid, r.target)))""";

    private static final String KNOWN_OTHERWISE = """
            (exists (select from waybill.parked p where p.relay = r.name and p.seq = e.seq)
             or exists (select from waybill.discarded d where d.seq = e.seq and d.relay = r.name))""";

    private static final String OF_RELAY = """
            select %s from waybill.event e join waybill.relay r on r.name = ?
             where e.seq < ? and e.seq >= ? and %s and %%s order by e.seq desc limit ?""".formatted(SUMMARY, FilterSql.MATCHES);

    private static final String PUBLISHED = OF_RELAY.formatted(PASSED + " and not " + KNOWN_OTHERWISE);

    private static final String PENDING = OF_RELAY.formatted("not " + PASSED + " and not " + KNOWN_OTHERWISE);

    /** Parked and discarded events have tables of their own, which are read along their indexes. */
    private static final String OTHER_TABLE = """
            select p.seq, e.id, e.type, e.aggregate_type, e.created_at, %s, e.id is not null and %s
              from (%%s) p left join waybill.event e on e.seq = p.seq
             order by p.seq desc""".formatted(FilterSql.SHOWN_AGGREGATE_ID, FilterSql.MATCHES);

    private static final String DEAD = OTHER_TABLE.formatted("""
            select seq from waybill.parked where relay = ? and state = 'dead' and seq < ? and seq >= ?
             order by seq desc limit ?""");

    private static final String PARKED = OTHER_TABLE.formatted("""
            with q as materialized (select ?::text as relay, ?::bigint as below, ?::bigint as lowest, ?::int as most)
            select u.seq from q cross join lateral (
                (select seq from waybill.parked where relay = q.relay and lower(state) = 'due'
                    and seq < q.below and seq >= q.lowest order by seq desc limit q.most)
                union all
                (select seq from waybill.parked where relay = q.relay and lower(state) = 'waiting'
                    and seq < q.below and seq >= q.lowest order by seq desc limit q.most)) u
             order by u.seq desc limit (select most from q)""");

    private static final String DISCARDED = OTHER_TABLE.formatted("""
            select seq from waybill.discarded where relay = ? and seq < ? and seq >= ? order by seq desc limit ?""");

    /** Each lateral subquery has a limit, so it is looked up for each seq; with a join the planner may scan the whole table. */
    private static final String STANDINGS = """
            select e.seq, r.name, %s, p.state, coalesce(p.attempts, d.attempts, 0), coalesce(p.error, d.note),
                   d.seq is not null
              from unnest(?::bigint[]) s (seq)
             cross join lateral (select e.seq, e.xid from waybill.event e where e.seq = s.seq limit 1) e
             cross join waybill.relay r
              left join lateral (select p.state, p.attempts, %s as error from waybill.parked p
                                  where p.relay = r.name and p.seq = e.seq limit 1) p on true
              left join lateral (select d.seq, d.attempts, d.note from waybill.discarded d
                                  where d.seq = e.seq and d.relay = r.name limit 1) d on true
             where ?::text is null or r.name = ? order by e.seq, r.name""".formatted(PASSED, JournalEvents.ERROR);

    private static final String NEWEST_BELOW = "select max(seq) from waybill.event where seq < ?";

    /** Events up to this seq are not pending. */
    private static final String FLOOR = "select base_floor from waybill.relay where name = ?";

    /** Seqs that one page reads at most. */
    static final long SEQS_PER_PAGE = 100_000;
    /** Dead, parked or discarded events that one page reads at most: each needs a lookup in another table. */
    private static final int ROWS_PER_PAGE = 10_000;

    private static final int ROWS_PER_STEP = 2_000;

    private final JournalConnection connection;
    private final EventQuery query;
    private long examined;

    private record Found(
            long seq, String id, String type, String aggregateType, Instant createdAt, Optional<String> aggregateId) {
        static Found read(ResultSet row) throws SQLException {
            return new Found(
                    row.getLong(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getTimestamp(5).toInstant(),
                    Optional.ofNullable(row.getString(6)));
        }
    }

    JournalListing(JournalConnection connection, EventQuery query) {
        this.connection = connection;
        this.query = query;
    }

    EventListing page() throws SQLException {
        SeqRange range = SeqRange.of(query.filter(), new JournalNumbers(connection))
                .and(new SeqRange(0, EventQuery.number(query.after())));
        @Nullable String otherTable = otherTable();
        return otherTable == null ? fromEvents(range) : fromOtherTable(otherTable, range);
    }

    private @Nullable String otherTable() {
        return query.state()
                .map(state -> switch (state) {
                    case DEAD -> DEAD;
                    case PARKED -> PARKED;
                    case DISCARDED -> DISCARDED;
                    case PENDING, PUBLISHED -> null;
                })
                .orElse(null);
    }

    private EventListing fromEvents(SeqRange wanted) throws SQLException {
        SeqRange range =
                query.state().filter(EventHistory.State.PENDING::equals).isPresent()
                        ? wanted.and(new SeqRange(floor(), Long.MAX_VALUE))
                        : wanted;
        long newest = newestBelow(range.below());
        if (newest < range.from()) {
            return new EventListing(List.of(), Optional.empty(), 0);
        }
        long oldest = Math.max(range.from(), newest - SEQS_PER_PAGE + 1);
        List<Found> found = read(newest, oldest);
        if (found.size() > query.atMost()) {
            long last = found.get(query.atMost() - 1).seq();
            examined = newest - last + 1;
            return listing(found.subList(0, query.atMost()), Optional.of(last));
        }
        examined = newest - oldest + 1;
        boolean more = oldest > range.from() && newestBelow(oldest) >= range.from();
        return listing(found, more ? Optional.of(oldest) : Optional.empty());
    }

    private List<Found> read(long newest, long oldest) throws SQLException {
        Optional<EventHistory.State> state = query.state();
        boolean pending = state.filter(EventHistory.State.PENDING::equals).isPresent();
        String sql = state.isEmpty() ? ANY_STATE : pending ? PENDING : PUBLISHED;
        List<@Nullable Object> arguments = new ArrayList<>();
        if (state.isPresent()) {
            arguments.add(query.relay().orElseThrow().value());
        }
        arguments.addAll(List.of(newest + 1, oldest));
        arguments.addAll(FilterSql.values(query.filter()));
        arguments.add(query.atMost() + 1);
        return connection.query(statement(sql), Found::read, arguments.toArray());
    }

    private String statement(String sql) throws SQLException {
        return FilterSql.withWhatIsShown(connection, FilterSql.withoutUnused(sql, query.filter()));
    }

    private EventListing fromOtherTable(String sql, SeqRange range) throws SQLException {
        List<Found> found = new ArrayList<>();
        int step = query.filter().equals(EventFilter.ALL) ? query.atMost() + 1 : ROWS_PER_STEP;
        String statement = statement(sql);
        long below = range.below();
        boolean more = true;
        while (more && found.size() <= query.atMost() && examined < ROWS_PER_PAGE) {
            List<@Nullable Object> arguments = FilterSql.values(query.filter());
            arguments.addAll(List.of(query.relay().orElseThrow().value(), below, range.from(), step));
            List<Long> seen = connection.query(
                    statement,
                    row -> {
                        if (row.getBoolean(7)) {
                            found.add(Found.read(row));
                        }
                        return row.getLong(1);
                    },
                    arguments.toArray());
            below = seen.isEmpty() ? below : seen.get(seen.size() - 1);
            examined += seen.size();
            more = seen.size() == step;
        }
        if (found.size() > query.atMost()) {
            List<Found> page = found.subList(0, query.atMost());
            return listing(page, Optional.of(page.get(page.size() - 1).seq()));
        }
        return listing(found, more ? Optional.of(below) : Optional.empty());
    }

    private EventListing listing(List<Found> found, Optional<Long> next) throws SQLException {
        Map<Long, List<EventSummary.Standing>> standings =
                standings(found.stream().map(Found::seq).toList());
        List<EventSummary> events = new ArrayList<>();
        for (Found one : found) {
            events.add(new EventSummary(
                    one.id(),
                    one.type(),
                    one.aggregateType(),
                    one.aggregateId(),
                    one.createdAt(),
                    standings.getOrDefault(one.seq(), List.of())));
        }
        return new EventListing(events, next.map(Object::toString), examined);
    }

    private Map<Long, List<EventSummary.Standing>> standings(List<Long> seqs) throws SQLException {
        @Nullable String relay = query.relay().map(Object::toString).orElse(null);
        Map<Long, List<EventSummary.Standing>> standings = new HashMap<>();
        connection.each(
                STANDINGS,
                row -> standings
                        .computeIfAbsent(row.getLong(1), seq -> new ArrayList<>())
                        .add(new EventSummary.Standing(
                                row.getString(2),
                                JournalEvents.state(row.getBoolean(3), row.getString(4), row.getBoolean(7)),
                                row.getInt(5),
                                Optional.ofNullable(row.getString(6)))),
                connection.array("bigint", seqs.toArray()),
                relay,
                relay);
        return standings;
    }

    private long newestBelow(long seq) throws SQLException {
        return connection.first(NEWEST_BELOW, row -> row.getLong(1), seq).orElse(0L);
    }

    private long floor() throws SQLException {
        return connection
                .first(FLOOR, row -> row.getLong(1), query.relay().orElseThrow().value())
                .orElse(0L);
    }
}
