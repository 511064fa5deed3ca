package dev.waybill.postgres;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.EventSummary;
import dev.waybill.jdbc.kernel.SeqRange;
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
 * A page of the journal's events, newest first. The journal has no index for filters, which every append would pay for: a page
 * looks at a bounded stretch of seqs, and says where to go on. Dead, parked and discarded events are read along indexes of their
 * own.
 */
final class JournalListing {
    private static final String NEWEST_BELOW = "select max(seq) from waybill.event where seq < ?";

    /** No event below this seq is pending. */
    private static final String FLOOR = "select base_floor from waybill.relay where name = ?";

    /** How many seqs one page reads at most. */
    static final long STRETCH = 100_000;
    /** How many dead, parked or discarded events one page reads at most, in steps: each needs a lookup in another table. */
    private static final int ASIDE = 10_000;

    private static final int ASIDE_STEP = 2_000;

    private final JournalConnection connection;
    private final EventQuery query;
    private long lookedAt;

    private record Found(long seq, String id, String type, String aggregateType, Instant createdAt) {
        static Found read(ResultSet row) throws SQLException {
            return new Found(
                    row.getLong(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getTimestamp(5).toInstant());
        }
    }

    JournalListing(JournalConnection connection, EventQuery query) {
        this.connection = connection;
        this.query = query;
    }

    EventListing page() throws SQLException {
        SeqRange range =
                SeqRange.of(query.filter(), new JournalNumbers(connection)).and(new SeqRange(0, cursor()));
        @Nullable String aside = aside();
        return aside == null ? stretch(range) : aside(aside, range);
    }

    private long cursor() {
        try {
            return query.after().map(Long::parseLong).orElse(Long.MAX_VALUE);
        } catch (NumberFormatException e) {
            throw EventQuery.notACursor(query.after().orElse(""));
        }
    }

    private @Nullable String aside() {
        return query.state()
                .map(state -> switch (state) {
                    case DEAD -> PostgresListingSql.DEAD;
                    case PARKED -> PostgresListingSql.PARKED;
                    case DISCARDED -> PostgresListingSql.DISCARDED;
                    case PENDING, PUBLISHED -> null;
                })
                .orElse(null);
    }

    private EventListing stretch(SeqRange wanted) throws SQLException {
        SeqRange range = query.state().filter(EventStory.State.PENDING::equals).isPresent()
                ? wanted.and(new SeqRange(floor(), Long.MAX_VALUE))
                : wanted;
        long newest = newestBelow(range.below());
        if (newest < range.from()) {
            return new EventListing(List.of(), Optional.empty(), 0);
        }
        long oldest = Math.max(range.from(), newest - STRETCH + 1);
        List<Found> found = stretch(newest, oldest);
        if (found.size() > query.atMost()) {
            long last = found.get(query.atMost() - 1).seq();
            lookedAt = newest - last + 1;
            return listing(found.subList(0, query.atMost()), Optional.of(last));
        }
        lookedAt = newest - oldest + 1;
        boolean more = oldest > range.from() && newestBelow(oldest) >= range.from();
        return listing(found, more ? Optional.of(oldest) : Optional.empty());
    }

    private List<Found> stretch(long newest, long oldest) throws SQLException {
        Optional<EventStory.State> state = query.state();
        boolean pending = state.filter(EventStory.State.PENDING::equals).isPresent();
        String sql = state.isEmpty()
                ? PostgresListingSql.STRETCH
                : pending ? PostgresListingSql.PENDING : PostgresListingSql.PUBLISHED;
        List<@Nullable Object> arguments = new ArrayList<>();
        if (state.isPresent()) {
            arguments.add(query.relay().orElseThrow().value());
        }
        arguments.addAll(List.of(newest + 1, oldest));
        arguments.addAll(FilterValues.of(query.filter()));
        arguments.add(query.atMost() + 1);
        return connection.query(PostgresListingSql.asked(sql, query.filter()), Found::read, arguments.toArray());
    }

    private EventListing aside(String sql, SeqRange range) throws SQLException {
        List<Found> found = new ArrayList<>();
        int step = query.filter().equals(EventFilter.ALL) ? query.atMost() + 1 : ASIDE_STEP;
        long below = range.below();
        boolean more = true;
        while (more && found.size() <= query.atMost() && lookedAt < ASIDE) {
            List<@Nullable Object> arguments = FilterValues.of(query.filter());
            arguments.addAll(List.of(query.relay().orElseThrow().value(), below, range.from(), step));
            List<Long> seen = connection.query(
                    PostgresListingSql.asked(sql, query.filter()),
                    row -> {
                        if (row.getBoolean(6)) {
                            found.add(Found.read(row));
                        }
                        return row.getLong(1);
                    },
                    arguments.toArray());
            below = seen.isEmpty() ? below : seen.get(seen.size() - 1);
            lookedAt += seen.size();
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
                    one.createdAt(),
                    standings.getOrDefault(one.seq(), List.of())));
        }
        return new EventListing(events, next.map(Object::toString), lookedAt);
    }

    private Map<Long, List<EventSummary.Standing>> standings(List<Long> seqs) throws SQLException {
        @Nullable String relay = query.relay().map(Object::toString).orElse(null);
        Map<Long, List<EventSummary.Standing>> standings = new HashMap<>();
        connection.each(
                PostgresListingSql.STANDINGS,
                row -> standings
                        .computeIfAbsent(row.getLong(1), seq -> new ArrayList<>())
                        .add(new EventSummary.Standing(
                                row.getString(2),
                                JournalStory.state(row.getBoolean(3), row.getString(4), row.getBoolean(7)),
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
