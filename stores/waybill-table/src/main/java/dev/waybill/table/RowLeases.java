package dev.waybill.table;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leases on single rows, in the side table, by the database's clock. The row's lock only keeps claimers out of each other's
 * way while they choose, and is gone before anything is published; from then on the lease protects the row. It runs out when
 * its owner does not renew it, and then the row is anybody's.
 */
final class RowLeases {
    /** Rows first, then leases, as whoever claims does: else two could wait for each other. */
    static final String LOCK_ROWS = "select {id} from {table} where {id} {among} for update";

    /**
     * Locks rows that nobody works on, so that only one process takes each. A row that was published since the statement began
     * is looked at again once it is locked, and left out.
     */
    private static final String LOCK_FREE_ROWS = """
            select {id} from {table} t
             where {is_pending} and {after}
               and not exists (select 1 from {claim} c
                                where concat(c.outbox, '') = ? and c.row_id = {id_text}
                                  and (c.state = 'dead' or c.lease_until >= {clock} or c.next_attempt_at > ?){row_by_row})
             order by {order} limit ? for update skip locked""";

    /** Leases that ran out, and rows that wait for a retry that is due. */
    private static final String TAKE_OVER = """
            update {claim} set owner = ?, lease_until = {clock} + ?
             where concat(outbox, '') = ? and state <> 'dead' and (lease_until is null or lease_until < {clock})
               and (next_attempt_at is null or next_attempt_at <= ?) and row_id {among}""";

    private static final String OWN =
            "select row_id, attempts from {claim} where concat(outbox, '') = ? and owner = ? and row_id {among}";

    /** Whoever settles rows holds their leases until it has committed. */
    private static final String LOCK_OWN =
            "select row_id, attempts from {claim} where concat(outbox, '') = ? and owner = ? and row_id {among} for update";

    private static final String RENEW = "update {claim} set lease_until = {clock} + ? where outbox = ? and owner = ?";

    private static final String FORGET =
            "delete from {claim} where concat(outbox, '') = ? and owner = ? and state = 'leased' and row_id {among}";

    private static final String RELEASE =
            "update {claim} set owner = null, lease_until = null where concat(outbox, '') = ? and owner = ? and row_id {among}";

    private static final String FORGET_ALL = "delete from {claim} where outbox = ? and owner = ? and state = 'leased'";

    private static final String RELEASE_ALL =
            "update {claim} set owner = null, lease_until = null where outbox = ? and owner = ?";

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
        connection.among(free).update(TAKE_OVER, owner, micros, connection.outbox(), TableTimes.micros(now));
        connection.updateEach(connection.dialectSql().lease(), free, rowId ->
                new Object[] {connection.outbox(), rowId, owner, micros});
        return own(OWN, free);
    }

    private List<String> lockFreeRows(TablePosition after, int limit, Instant now) throws SQLException {
        TableReader reader = new TableReader(connection);
        return connection.query(
                reader.page(LOCK_FREE_ROWS, after),
                row -> row.getString(1),
                reader.after(after, connection.outbox(), TableTimes.micros(now), limit));
    }

    /** Which of these rows are still leased to this owner; they are locked until the transaction ends. */
    Map<String, Integer> lockOwn(List<String> rowIds) throws SQLException {
        connection.among(connection.ids(rowIds)).query(LOCK_ROWS, row -> row.getString(1));
        return own(LOCK_OWN, rowIds);
    }

    private Map<String, Integer> own(String sql, List<String> rowIds) throws SQLException {
        Map<String, Integer> own = new HashMap<>();
        connection.among(rowIds).each(sql, row -> own.put(row.getString(1), row.getInt(2)), connection.outbox(), owner);
        return own;
    }

    /** Releases rows that were not published. */
    void release(List<String> rowIds) throws SQLException {
        for (String sql : List.of(FORGET, RELEASE)) {
            connection.among(rowIds).update(sql, connection.outbox(), owner);
        }
    }

    void releaseAll() throws SQLException {
        for (String sql : List.of(FORGET_ALL, RELEASE_ALL)) {
            connection.update(sql, connection.outbox(), owner);
        }
    }

    /** Renews the leases over a connection other than the session's. */
    void renew(TableConnection other) throws SQLException {
        other.update(RENEW, micros, other.outbox(), owner);
    }
}
