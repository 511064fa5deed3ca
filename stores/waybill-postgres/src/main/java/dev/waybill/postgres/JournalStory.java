package dev.waybill.postgres;

import dev.waybill.Payload;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Single events of the journal: what became of one, and those that are parked. */
final class JournalStory {
    private static final String ASK_PAYLOAD = "select waybill.ask_payload(?, ?, ?)";

    private static final String PAYLOAD = "select payload, payload_bytes, content_type from waybill.payload(?)";

    private static final String EVENT = """
            select e.seq, e.id, e.type, e.aggregate_type, e.created_at,
                   waybill.payload_length(e.id)
              from waybill.event e where e.id = ?""";

    private final JournalConnection connection;

    JournalStory(JournalConnection connection) {
        this.connection = connection;
    }

    List<ParkedEvent> parked(ParkedQuery query) throws SQLException {
        return connection.query(
                PostgresAdminSql.parked(query.state().orElse(null)),
                row -> parkedEvent(row, 1),
                query.relay().value(),
                query.afterNumber(),
                query.atMost());
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
                row.getBoolean(first + 7));
    }

    Optional<EventStory> of(UUID id) throws SQLException {
        return connection.first(
                EVENT,
                row -> new EventStory(
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getTimestamp(5).toInstant(),
                        row.getInt(6),
                        chapters(id)),
                id);
    }

    private List<EventStory.Chapter> chapters(UUID id) throws SQLException {
        return connection.query(PostgresAdminSql.CHAPTERS, JournalStory::chapter, id);
    }

    private static EventStory.Chapter chapter(ResultSet row) throws SQLException {
        Optional<Instant> loggedAt = instant(row, 3);
        Optional<ParkedEvent> parked = row.getBoolean(4) ? Optional.of(parkedEvent(row, 5)) : Optional.empty();
        Optional<Instant> discardedAt = parked.isPresent() ? Optional.empty() : instant(row, 13);
        @Nullable String parkedState = row.getString(8);
        EventStory.State state = state(row.getBoolean(2), parkedState, discardedAt.isPresent());
        String note = discardedAt.isPresent() ? row.getString(14) : "";
        return new EventStory.Chapter(
                row.getString(1),
                state,
                parked,
                state == EventStory.State.PUBLISHED ? loggedAt : Optional.empty(),
                discardedAt.map(at -> new EventStory.Discarded(Optional.of(at), note)));
    }

    static EventStory.State state(boolean passed, @Nullable String parked, boolean discarded) {
        if (parked != null) {
            return parked.equals("dead") ? EventStory.State.DEAD : EventStory.State.PARKED;
        }
        if (discarded) {
            return EventStory.State.DISCARDED;
        }
        return passed ? EventStory.State.PUBLISHED : EventStory.State.PENDING;
    }

    private static Optional<Instant> instant(ResultSet row, int column) throws SQLException {
        return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
    }

    /** The database shows it once the entry in the audit is committed. */
    Optional<Payload> payload(UUID id, Actor by) throws SQLException {
        Optional<Long> asked =
                connection.first(ASK_PAYLOAD, row -> row.getObject(1, Long.class), id, by.who(), by.why());
        return asked.isEmpty() ? Optional.empty() : connection.one(PAYLOAD, JournalStory::payload, asked.get());
    }

    private static Optional<Payload> payload(ResultSet row) throws SQLException {
        byte @Nullable [] json = row.getBytes(1);
        byte @Nullable [] bytes = row.getBytes(2);
        if (json == null && bytes == null) {
            return Optional.empty();
        }
        return Optional.of(json == null ? Payload.binary(bytes, row.getString(3)) : Payload.json(json));
    }
}
