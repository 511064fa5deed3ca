package dev.waybill.jdbc;

import dev.waybill.admin.Actor;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Sends rows again, or gives them up, as a person says. */
final class TableMending {
    private final TableConnection connection;
    private final TableReader reader;
    private final SideRows sideRows;

    /** A row that waits, or is dead. */
    record Parked(ThinRow row, @Nullable SideRow side, boolean dead) {
        boolean wouldBeLate() {
            return dead && (side == null || !side.holds());
        }
    }

    TableMending(TableConnection connection) {
        this.connection = connection;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
    }

    /** Of these those that wait for their retry, or are dead. */
    List<Parked> requeueable(Collection<String> eventIds) throws SQLException {
        List<String> ids = List.copyOf(new LinkedHashSet<>(eventIds));
        Map<String, TableReader.Standing> standing = reader.standing(ids);
        Map<String, SideRow> sides = sideRows.of(ids);
        List<Parked> parked = new ArrayList<>();
        for (String id : ids) {
            TableReader.@Nullable Standing row = standing.get(id);
            @Nullable SideRow side = sides.get(id);
            if (row == null) {
                continue;
            }
            boolean dead = row.says().equals(TableReader.Standing.DEAD);
            boolean pending = row.says().equals(TableReader.Standing.PENDING);
            if (dead || (pending && side != null)) {
                boolean deadAside = side != null && side.state().equals(SideRow.DEAD);
                parked.add(new Parked(row.row(), side, dead || deadAside));
            }
        }
        return parked;
    }

    int requeue(RelayName relay, Collection<String> eventIds) throws SQLException {
        if (lock(relay).isEmpty()) {
            return 0;
        }
        List<Parked> parked = requeueable(eventIds);
        RowUpdate.pendingAgain(connection)
                .to(parked.stream().map(one -> one.row().rowId()).toList());
        sideRows.put(parked.stream().map(TableMending::atOnce).toList());
        changed(relay, parked.size());
        return parked.size();
    }

    private static SideRow atOnce(Parked parked) {
        ThinRow row = parked.row();
        Optional<String> error =
                parked.side() == null ? row.error() : parked.side().error();
        return new SideRow(
                row.rowId(),
                row.keyHash(),
                row.position().value(),
                SideRow.RETRY,
                false,
                0,
                error.map(text -> ErrorText.cut(text, ErrorText.SIDE_LENGTH)),
                OptionalLong.of(0));
    }

    int discard(RelayName relay, Collection<String> eventIds, Actor by) throws SQLException {
        Optional<Instant> now = lock(relay);
        if (now.isEmpty()) {
            return 0;
        }
        List<ThinRow> rows = new ArrayList<>();
        requeueable(eventIds).forEach(parked -> rows.add(parked.row()));
        rows.addAll(waiting(eventIds, rows));
        for (ThinRow row : rows) {
            String note = "Discarded by " + by.who() + (by.why().isEmpty() ? "" : " (" + by.why() + ")")
                    + row.error().map(error -> "; before: " + error).orElse("");
            RowUpdate.givenUp(connection, now.get(), note).to(List.of(row.rowId()));
        }
        sideRows.drop(rows.stream().map(ThinRow::rowId).toList());
        changed(relay, rows.size());
        return rows.size();
    }

    /** Pending rows of closed keys. */
    private List<ThinRow> waiting(Collection<String> eventIds, List<ThinRow> others) throws SQLException {
        List<ThinRow> pending = reader.standing(List.copyOf(new LinkedHashSet<>(eventIds))).values().stream()
                .filter(row -> row.says().equals(TableReader.Standing.PENDING))
                .map(TableReader.Standing::row)
                .filter(row -> !others.contains(row))
                .toList();
        Map<String, Long> closed =
                sideRows.closedAmong(pending.stream().map(ThinRow::keyHash).toList());
        return pending.stream().filter(row -> closed.containsKey(row.keyHash())).toList();
    }

    /** @return the database's time, or nothing when there is no such relay */
    private Optional<Instant> lock(RelayName relay) throws SQLException {
        PreparedStatement lock = connection.prepare(TableAdminSql.LOCK);
        lock.setString(1, relay.value());
        lock.setString(2, connection.outbox());
        try (ResultSet row = lock.executeQuery()) {
            return row.next() ? Optional.of(TableTimes.instant(row.getLong(1))) : Optional.empty();
        }
    }

    private void changed(RelayName relay, int rows) throws SQLException {
        if (rows > 0) {
            PreparedStatement statement = connection.prepare(TableAdminSql.CHANGED);
            statement.setString(1, relay.value());
            statement.executeUpdate();
        }
    }
}
