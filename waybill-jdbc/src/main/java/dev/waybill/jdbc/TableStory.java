package dev.waybill.jdbc;

import dev.waybill.admin.EventStory;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One event of a table, and what its relay did with it. */
final class TableStory {
    private final TableConnection connection;
    private final SideRows sideRows;
    private final TableParked parked;

    private record Told(
            ThinRow row,
            String says,
            String aggregateType,
            int bytes,
            @Nullable Instant publishedAt) {}

    TableStory(TableConnection connection) {
        this.connection = connection;
        this.sideRows = new SideRows(connection);
        this.parked = new TableParked(connection);
    }

    Optional<EventStory> of(String eventId) throws SQLException {
        List<Told> told = new ArrayList<>();
        connection.forList(TableAdminSql.STORY, connection.ids(List.of(eventId)), 1, (statement, listAt) -> {
            try (ResultSet row = statement.executeQuery()) {
                while (row.next() && told.isEmpty()) {
                    told.add(read(row));
                }
            }
        });
        if (told.isEmpty()) {
            return Optional.empty();
        }
        Told one = told.get(0);
        return Optional.of(new EventStory(
                one.row().rowId(),
                one.row().type(),
                one.aggregateType(),
                one.row().createdAt(),
                one.bytes(),
                chapters(one)));
    }

    private Told read(ResultSet row) throws SQLException {
        int next = ThinRow.COLUMNS + 1;
        @Nullable String type = row.getString(next + 1);
        return new Told(
                ThinRow.read(connection, row),
                row.getString(next),
                type == null ? connection.layout().aggregateType().orElse("") : type,
                row.getInt(next + 2),
                connection.layout().has(TableColumn.PUBLISHED_AT)
                        ? connection.times().read(row, next + 3)
                        : null);
    }

    private List<EventStory.Chapter> chapters(Told told) throws SQLException {
        PreparedStatement statement = connection.prepare(TableAdminSql.RELAY);
        statement.setString(1, connection.outbox());
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? List.of(chapter(row.getString(1), told)) : List.of();
        }
    }

    private EventStory.Chapter chapter(String relay, Told told) throws SQLException {
        ThinRow row = told.row();
        @Nullable SideRow side = sideRows.of(List.of(row.rowId())).get(row.rowId());
        boolean pending = told.says().equals(TableReader.Standing.PENDING);
        boolean deadAside = pending
                && side != null
                && side.state().equals(SideRow.DEAD)
                && !TableText.saysDead(connection.layout());
        if (told.says().equals(TableReader.Standing.DEAD) || deadAside) {
            return chapter(relay, EventStory.State.DEAD, parkedAs(row, ParkedState.DEAD, side));
        }
        if (!pending) {
            return new EventStory.Chapter(
                    relay, EventStory.State.PUBLISHED, Optional.empty(), Optional.ofNullable(told.publishedAt()));
        }
        if (side != null && side.state().equals(SideRow.RETRY)) {
            return chapter(relay, EventStory.State.PARKED, parkedAs(row, ParkedState.DUE, side));
        }
        boolean closed = !sideRows.closedAmong(List.of(row.keyHash())).isEmpty();
        return closed
                ? chapter(relay, EventStory.State.PARKED, parkedAs(row, ParkedState.WAITING, null))
                : chapter(relay, EventStory.State.PENDING, Optional.empty());
    }

    private Optional<ParkedEvent> parkedAs(ThinRow row, ParkedState state, @Nullable SideRow side) {
        return Optional.of(TableParked.event(parked.cursor(row), row, state, side));
    }

    private static EventStory.Chapter chapter(String relay, EventStory.State state, Optional<ParkedEvent> parked) {
        return new EventStory.Chapter(relay, state, parked, Optional.empty());
    }
}
