package dev.waybill.jdbc;

import dev.waybill.admin.RelayStatus;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the relay of a table stands. Counts go up to {@link TableParked#SCANNED}: beyond it there are at least so many. */
final class TableStatus {
    private final TableConnection connection;

    /** Running counts over pending rows. */
    private static final class Counts {
        private long backlog;
        private long parked;
        private long dead;
        private @Nullable Instant oldest;
    }

    TableStatus(TableConnection connection) {
        this.connection = connection;
    }

    boolean isRelay(RelayName relay) throws SQLException {
        try (ResultSet row = relayRow()) {
            return row.next() && row.getString(1).equals(relay.value());
        }
    }

    List<RelayStatus> relays() throws SQLException {
        Counts counts = count();
        try (ResultSet row = relayRow()) {
            if (!row.next()) {
                return List.of();
            }
            Optional<RelayStatus.Lease> lease = row.getBoolean(5) && row.getString(2) != null
                    ? Optional.of(
                            new RelayStatus.Lease(row.getString(2), row.getLong(3), TableTimes.instant(row.getLong(4))))
                    : Optional.empty();
            Instant now = TableTimes.instant(row.getLong(7));
            Optional<Duration> oldest = Optional.ofNullable(counts.oldest)
                    .map(created -> created.isBefore(now) ? Duration.between(created, now) : Duration.ZERO);
            return List.of(new RelayStatus(
                    row.getString(1), lease, row.getBoolean(6), counts.backlog, oldest, counts.parked, counts.dead));
        }
    }

    private ResultSet relayRow() throws SQLException {
        PreparedStatement statement = connection.prepare(TableAdminSql.RELAY);
        statement.setString(1, connection.outbox());
        return statement.executeQuery();
    }

    private Counts count() throws SQLException {
        Counts counts = new Counts();
        boolean saysDead = TableText.saysDead(connection.layout());
        counts.dead = saysDead ? deadRows() : deadAside();
        boolean deadAside = counts.dead > 0 && !saysDead;
        if (deadAside || new TableParked(connection).firstBlocker().isPresent()) {
            scan(counts);
        } else {
            countPending(counts);
        }
        return counts;
    }

    private void countPending(Counts counts) throws SQLException {
        PreparedStatement statement = connection.prepare(TableAdminSql.COUNT_PENDING);
        statement.setInt(1, TableParked.SCANNED);
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            counts.backlog = row.getLong(1);
            counts.oldest = connection.times().read(row, 2);
        }
    }

    private void scan(Counts counts) throws SQLException {
        new TableParked(connection).scan(TablePosition.START, (row, state) -> {
            switch (state) {
                case RETRY, WAITING -> counts.parked++;
                case FRESH -> {
                    counts.backlog++;
                    counts.oldest = counts.oldest == null ? row.createdAt() : counts.oldest;
                }
                case DEAD -> {}
            }
            return true;
        });
    }

    private long deadRows() throws SQLException {
        PreparedStatement statement = connection.prepare(TableAdminSql.COUNT_DEAD);
        statement.setInt(1, TableParked.SCANNED);
        return number(statement);
    }

    private long deadAside() throws SQLException {
        PreparedStatement statement = connection.prepare(TableAdminSql.COUNT_SIDE);
        statement.setString(1, connection.outbox());
        statement.setString(2, SideRow.DEAD);
        statement.setInt(3, TableParked.SCANNED);
        return number(statement);
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
