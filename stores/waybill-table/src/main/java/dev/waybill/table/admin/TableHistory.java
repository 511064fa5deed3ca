package dev.waybill.table.admin;

import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableColumns;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.ThinRow;
import dev.waybill.table.rows.UnreadableRows;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of one event for its relay, and its payload. */
final class TableHistory {
    private static final String STORY = "select {listed_columns}, {payload_length} from {table} where {id} {among}";

    private static final String PAYLOAD = """
            select {payload_columns}, {content_type_or_null} from {table} where {id} {among}""";

    private final TableConnection connection;
    private final SideRows sideRows;

    private record Found(ListedRow listed, int bytes) {}

    TableHistory(TableConnection connection) {
        this.connection = connection;
        this.sideRows = new SideRows(connection);
    }

    private Optional<Found> find(String eventId) throws SQLException {
        return new UnreadableRows<>(
                        connection,
                        STORY,
                        row -> new Found(ListedRow.read(connection, row), row.getInt(ListedRow.COLUMNS + 1)),
                        found -> found.listed().row().rowId(),
                        (found, reason) -> found)
                .read(connection.ids(connection.spellings(List.of(eventId)))).stream()
                        .findFirst();
    }

    /** Rows that wait are not marked: they are found among the pending rows after this one. */
    Followers behind(String eventId, int atMost) throws SQLException {
        Optional<Found> found = find(eventId);
        if (found.isEmpty()) {
            return Followers.NONE;
        }
        ThinRow row = found.get().listed().row();
        @Nullable SideRow side = sideRows.of(List.of(row.rowId())).get(row.rowId());
        EventHistory.State state = state(found.get().listed(), side);
        boolean waits = state == EventHistory.State.PARKED
                || (state == EventHistory.State.DEAD && side != null && side.holds());
        return waits ? new TableParked(connection).behind(row, atMost) : Followers.NONE;
    }

    Optional<EventHistory> of(String eventId) throws SQLException {
        Optional<Found> found = find(eventId);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Found one = found.get();
        ThinRow row = one.listed().row();
        return Optional.of(new EventHistory(
                row.rowId(),
                row.type(),
                row.aggregateType(),
                Optional.of(row.aggregateId()),
                row.createdAt(),
                one.bytes(),
                entries(one.listed())));
    }

    private List<EventHistory.Entry> entries(ListedRow listed) throws SQLException {
        return connection.query(TableStatus.RELAY, row -> entry(row.getString(1), listed), connection.outbox());
    }

    private EventHistory.Entry entry(String relay, ListedRow listed) throws SQLException {
        ThinRow row = listed.row();
        @Nullable SideRow side = sideRows.of(List.of(row.rowId())).get(row.rowId());
        EventHistory.State state = state(listed, side);
        return new EventHistory.Entry(
                relay,
                state,
                parkedAs(row, state, side),
                state == EventHistory.State.PUBLISHED ? Optional.ofNullable(listed.publishedAt()) : Optional.empty(),
                state == EventHistory.State.DISCARDED
                        ? Optional.of(new EventHistory.Discarded(
                                Optional.ofNullable(listed.publishedAt()),
                                row.error().orElse("")))
                        : Optional.empty());
    }

    private EventHistory.State state(ListedRow listed, @Nullable SideRow side) throws SQLException {
        boolean closed = !sideRows.closedAmong(List.of(listed.row().keyHash())).isEmpty();
        return listed.state(connection.layout(), side, closed);
    }

    private Optional<ParkedEvent> parkedAs(ThinRow row, EventHistory.State state, @Nullable SideRow side)
            throws SQLException {
        if (state != EventHistory.State.DEAD && state != EventHistory.State.PARKED) {
            return Optional.empty();
        }
        boolean retries = side != null
                && side.is(SideState.RETRY)
                && sideRows.heldRetries(List.of(side)).isEmpty();
        ParkedState as =
                state == EventHistory.State.DEAD ? ParkedState.DEAD : retries ? ParkedState.DUE : ParkedState.WAITING;
        return Optional.of(TableParked.event(row, as, side));
    }

    Optional<Payload> payload(String eventId) throws SQLException {
        return connection
                .among(connection.ids(connection.spellings(List.of(eventId))))
                .query(PAYLOAD, this::payload)
                .stream()
                .findFirst();
    }

    private Payload payload(ResultSet row) throws SQLException {
        byte @Nullable [] text = new TableColumns(connection, row).payload(1);
        byte @Nullable [] bytes = row.getBytes(2);
        @Nullable String contentType = row.getString(3);
        if (text == null && bytes != null) {
            return Payload.binary(bytes, Objects.requireNonNullElse(contentType, "application/octet-stream"));
        }
        byte[] json = Objects.requireNonNullElse(text, "null".getBytes(StandardCharsets.UTF_8));
        try {
            return Payload.json(json);
        } catch (InvalidEventException notJson) {
            return Payload.binary(json, "text/plain");
        }
    }
}
