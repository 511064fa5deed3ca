package dev.waybill.postgres.admin;

import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.postgres.journal.JournalConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads single events of the journal: their history, their payload, and those that are parked. */
record JournalEvents(JournalConnection connection) {
    private static final String ASK_PAYLOAD = "select waybill.ask_payload(?, ?, ?)";

    private static final String PAYLOAD = "select payload, payload_bytes, content_type from waybill.payload(?)";

    private static final String EVENT = """
            select e.id, e.type, e.aggregate_type, %s, e.created_at, waybill.payload_length(e.id)
              from waybill.event e where e.id = ?""".formatted(FilterSql.SHOWN_AGGREGATE_ID);

    /** Relays write no longer errors, but other clients that may write can. */
    static final String ERROR = "left(p.error, 2000)";

    private static final String PARKED_COLUMNS =
            "p.seq, e.id, e.type, p.state, p.attempts, " + ERROR + ", p.next_attempt_at, p.holds, p.parked_at";

    private static final String RELAYS_OF_EVENT = """
            select r.name,
                   pg_visible_in_snapshot(e.xid, r.base)
                       or (r.target is not null and e.seq <= r.seq and pg_visible_in_snapshot(e.xid, r.target)) as passed,
                   (select min(l.logged_at) from waybill.window_log l
                     where l.relay = r.name
                       and l.logged_at > e.created_at - interval '1 minute'
                       and (pg_visible_in_snapshot(e.xid, l.base)
                            or (l.target is not null and e.seq <= l.seq and pg_visible_in_snapshot(e.xid, l.target)))) as logged_at,
                   p.relay is not null as parked,
                   %s, d.at, d.note
              from waybill.event e cross join waybill.relay r
              left join waybill.parked p on p.relay = r.name and p.seq = e.seq
              left join waybill.discarded d on d.seq = e.seq and d.relay = r.name
              left join waybill.replay q on q.relay = r.name
             where e.id = ?
               and (q.relay is null or (pg_visible_in_snapshot(e.xid, coalesce(r.target, r.base))
                                and waybill.replay_means(q.relay, e.seq)))
             order by r.name""".formatted(PARKED_COLUMNS);

    /** Reads along the index of keys. */
    private static final String BEHIND = """
            select %s
              from (select x.seq from waybill.event x where x.id = ? limit 1) x
             cross join lateral (select b.key from waybill.parked b
                                  where b.relay = ? and b.seq = x.seq and (b.state <> 'dead' or b.holds) limit 1) b
             cross join lateral (select p.* from waybill.parked p
                                  where p.relay = ? and p.key = b.key and p.seq > x.seq and p.state = 'waiting'
                                  order by p.key, p.seq limit ?) p
             cross join lateral (select e.id, e.type from waybill.event e where e.seq = p.seq limit 1) e
             order by p.seq""".formatted(PARKED_COLUMNS);

    Followers behind(RelayName relay, UUID id, int atMost) throws SQLException {
        return Followers.first(
                connection.query(BEHIND, row -> parkedEvent(row, 1), id, relay.value(), relay.value(), atMost + 1),
                atMost);
    }

    List<ParkedEvent> parked(ParkedQuery query) throws SQLException {
        return connection.query(
                parkedStatement(query.state()),
                row -> parkedEvent(row, 1),
                query.relay().value(),
                query.afterNumber(),
                query.atMost());
    }

    private static String parkedStatement(Optional<ParkedState> state) {
        return """
            select %s from waybill.parked p
             cross join lateral (select e.id, e.type from waybill.event e where e.seq = p.seq limit 1) e
             where p.relay = ? and p.seq > ?%s order by p.seq limit ?""".formatted(
                        PARKED_COLUMNS,
                        state.map(one -> " and " + ParkedSteps.isIn(one)).orElse(""));
    }

    private static ParkedEvent parkedEvent(ResultSet row, int first) throws SQLException {
        @Nullable Timestamp next = row.getTimestamp(first + 6);
        return new ParkedEvent(
                row.getString(first),
                row.getString(first + 1),
                row.getString(first + 2),
                ParkedState.valueOf(row.getString(first + 3).toUpperCase(Locale.ROOT)),
                row.getInt(first + 4),
                Optional.ofNullable(row.getString(first + 5)),
                next == null || next.getTime() < 0 ? Optional.empty() : Optional.of(next.toInstant()),
                // Behind another event, it was parked without an attempt.
                row.getString(first + 5) == null ? Optional.empty() : instant(row, first + 8),
                row.getBoolean(first + 7));
    }

    Optional<EventHistory> of(UUID id) throws SQLException {
        return connection.first(
                FilterSql.withWhatIsShown(connection, EVENT),
                row -> new EventHistory(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        Optional.ofNullable(row.getString(4)),
                        row.getTimestamp(5).toInstant(),
                        row.getInt(6),
                        entries(id)),
                id);
    }

    private List<EventHistory.Entry> entries(UUID id) throws SQLException {
        return connection.query(RELAYS_OF_EVENT, JournalEvents::entry, id);
    }

    private static EventHistory.Entry entry(ResultSet row) throws SQLException {
        Optional<Instant> loggedAt = instant(row, 3);
        Optional<ParkedEvent> parked = row.getBoolean(4) ? Optional.of(parkedEvent(row, 5)) : Optional.empty();
        Optional<Instant> discardedAt = parked.isPresent() ? Optional.empty() : instant(row, 14);
        @Nullable String parkedState = row.getString(8);
        EventHistory.State state = state(row.getBoolean(2), parkedState, discardedAt.isPresent());
        String note = discardedAt.isPresent() ? row.getString(15) : "";
        return new EventHistory.Entry(
                row.getString(1),
                state,
                parked,
                state == EventHistory.State.PUBLISHED ? loggedAt : Optional.empty(),
                discardedAt.map(at -> new EventHistory.Discarded(Optional.of(at), note)));
    }

    static EventHistory.State state(boolean passed, @Nullable String parked, boolean discarded) {
        if (parked != null) {
            return parked.equals("dead") ? EventHistory.State.DEAD : EventHistory.State.PARKED;
        }
        if (discarded) {
            return EventHistory.State.DISCARDED;
        }
        return passed ? EventHistory.State.PUBLISHED : EventHistory.State.PENDING;
    }

    private static Optional<Instant> instant(ResultSet row, int column) throws SQLException {
        return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
    }

    /** The database returns the payload once the audit entry is committed. */
    Optional<Payload> payload(UUID id, Actor by) throws SQLException {
        Optional<Long> asked =
                connection.first(ASK_PAYLOAD, row -> row.getObject(1, Long.class), id, by.who(), by.why());
        return asked.isEmpty() ? Optional.empty() : connection.one(PAYLOAD, JournalEvents::payload, asked.get());
    }

    private static Optional<Payload> payload(ResultSet row) throws SQLException {
        byte @Nullable [] json = row.getBytes(1);
        byte @Nullable [] bytes = row.getBytes(2);
        if (json == null && bytes == null) {
            return Optional.empty();
        }
        if (json == null) {
            return Optional.of(Payload.binary(bytes, row.getString(3)));
        }
        try {
            return Optional.of(Payload.json(json));
        } catch (InvalidEventException tooDeep) {
            // PostgreSQL accepts deeper JSON than an outbox does.
            return Optional.of(Payload.binary(json, "text/plain"));
        }
    }
}
