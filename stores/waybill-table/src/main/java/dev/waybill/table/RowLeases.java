package dev.waybill.table;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leases on single rows, in the side table, by the database's clock. The row's lock only keeps claimers out of each other's
 * way while they choose, and is gone before anything is published; from then on the lease protects the row. It runs out when
 * its owner does not renew it, and then the row is anybody's.
 */
final class RowLeases {
    private final TableConnection connection;
    private final String owner;
    private final long micros;

    RowLeases(TableConnection connection, String owner, Duration length) {
        this.connection = connection;
        this.owner = owner;
        this.micros = length.toMillis() * 1_000;
    }

    /**
     * Leases free rows after a place to this owner. In a transaction of the caller's.
     *
     * @return their ids, with the attempts that the side table knows of
     */
    Map<String, Integer> take(TablePosition after, int limit, Instant now) throws SQLException {
        List<String> free = lockFreeRows(after, limit, now);
        if (free.isEmpty()) {
            return Map.of();
        }
        connection.forList(CompetingSql.TAKE_OVER, free, 5, (statement, listAt) -> {
            statement.setString(1, owner);
            statement.setLong(2, micros);
            statement.setString(3, connection.outbox());
            statement.setLong(4, TableTimes.micros(now));
            statement.executeUpdate();
        });
        PreparedStatement lease = connection.prepare(connection.dialectSql().lease());
        for (String rowId : free) {
            lease.setString(1, connection.outbox());
            lease.setString(2, rowId);
            lease.setString(3, owner);
            lease.setLong(4, micros);
            lease.addBatch();
        }
        lease.executeBatch();
        return own(CompetingSql.OWN, free);
    }

    private List<String> lockFreeRows(TablePosition after, int limit, Instant now) throws SQLException {
        TableReader reader = new TableReader(connection);
        PreparedStatement statement = reader.prepare(CompetingSql.LOCK_FREE_ROWS, after);
        int at = reader.bindAfter(statement, 1, after);
        statement.setString(at, connection.outbox());
        statement.setLong(at + 1, TableTimes.micros(now));
        statement.setInt(at + 2, limit);
        List<String> ids = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                ids.add(row.getString(1));
            }
        }
        return ids;
    }

    /** Of these rows those that are still leased to this owner; they stay so until the transaction ends. */
    Map<String, Integer> lockOwn(List<String> rowIds) throws SQLException {
        connection.forList(
                CompetingSql.LOCK_ROWS,
                connection.ids(rowIds),
                1,
                (statement, listAt) -> statement.executeQuery().close());
        return own(CompetingSql.LOCK_OWN, rowIds);
    }

    private Map<String, Integer> own(String sql, List<String> rowIds) throws SQLException {
        Map<String, Integer> own = new HashMap<>();
        connection.forList(sql, rowIds, 3, (statement, listAt) -> {
            statement.setString(1, connection.outbox());
            statement.setString(2, owner);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    own.put(row.getString(1), row.getInt(2));
                }
            }
        });
        return own;
    }

    /** Gives rows back unpublished. */
    void release(List<String> rowIds) throws SQLException {
        for (String sql : List.of(CompetingSql.FORGET, CompetingSql.RELEASE)) {
            connection.forList(sql, rowIds, 3, (statement, listAt) -> {
                statement.setString(1, connection.outbox());
                statement.setString(2, owner);
                statement.executeUpdate();
            });
        }
    }

    void releaseAll() throws SQLException {
        for (String sql : List.of(CompetingSql.FORGET_ALL, CompetingSql.RELEASE_ALL)) {
            PreparedStatement statement = connection.prepare(sql);
            statement.setString(1, connection.outbox());
            statement.setString(2, owner);
            statement.executeUpdate();
        }
    }

    /** Over another connection than that of the session. */
    void renew(TableConnection other) throws SQLException {
        PreparedStatement statement = other.prepare(CompetingSql.RENEW);
        statement.setLong(1, micros);
        statement.setString(2, other.outbox());
        statement.setString(3, owner);
        statement.executeUpdate();
    }
}
