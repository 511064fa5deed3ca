package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.support.LeaseBound;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leases on single rows, in the side table, by the database's clock. A row lock separates sessions only while they choose rows,
 * and is released before anything is published. After that the lease protects the row. Once it has expired, any session may
 * take the row.
 */
final class RowLeases {
    /**
     * Locks rows that no session works on, so that only one process takes each. The conditions are checked again on a locked
     * row, so one that was published since the statement began is left out. Rows whose ids are too long for a lease are left out
     * too; {@code doctor} names them.
     */
    private static final String LOCK_FREE_ROWS = """
            select {id} from {table} t
             where {is_pending} and {after} and {id_fits}
               and not exists (select 1 from {claim} c
                                where concat(c.outbox, '') = ? and c.row_id = {id_text}
                                  and (c.state = 'dead' or (c.lease_until >= {clock} and c.lease_until <= {clock} + ?)
                                       or c.next_attempt_at > ?){row_by_row})
             order by {order} limit ? for update skip locked""";

    /**
     * Expired leases, and rows whose retry is due. A lease that ends after {@link LeaseBound} has expired too.
     */
    private static final String TAKE_OVER = """
            update {claim} set owner = ?, lease_until = {clock} + ?
             where concat(outbox, '') = ? and state <> 'dead'
               and (lease_until is null or lease_until < {clock} or lease_until > {clock} + ?)
               and (next_attempt_at is null or next_attempt_at <= ?) and row_id {among}""";

    private static final String OWN =
            "select row_id, attempts from {claim} where concat(outbox, '') = ? and owner = ? and row_id {among}";

    /** Locks the leases until the settlement is committed. */
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

    /** The comparison of the owner excludes nulls; unlike {@code is not null}, H2 looks it up in the index. */
    private static final String ANY_ALIVE =
            "select 1 from {claim} where outbox = ? and owner > '' and lease_until >= {clock}"
                    + " and lease_until <= {clock} + ?";

    private static final String FORGET_EXPIRED = "delete from {claim} where outbox = ? and state = 'leased'"
            + " and (lease_until < {clock} or lease_until > {clock} + ?)";

    private static final String RELEASE_EXPIRED = """
            update {claim} set owner = null, lease_until = null
             where outbox = ? and owner > '' and (lease_until < {clock} or lease_until > {clock} + ?)""";

    private static final String IS_REGISTERED = "select 1 from {relay} where name = ? and outbox = ?";

    private final TableConnection connection;
    private final RenewalConnection renewal;
    private final SharedLease shared;
    private final String owner;
    private final long micros;

    RowLeases(TableConnection connection, RenewalConnection renewal, SharedLease shared) {
        this.connection = connection;
        this.renewal = renewal;
        this.shared = shared;
        this.owner = shared.owner().value() + "#" + shared.epoch();
        this.micros = shared.micros();
    }

    /**
     * Leases free rows after a position, in the transaction of the caller.
     *
     * @return their ids, with the attempts in the side table
     */
    Map<String, Integer> take(TablePosition after, int limit, Instant now) throws SQLException {
        List<String> free = lockFreeRows(after, limit, now);
        if (free.isEmpty()) {
            return Map.of();
        }
        connection
                .among(free)
                .update(TAKE_OVER, owner, micros, connection.outbox(), shared.longest(), TableTimes.micros(now));
        connection.updateEach(connection.relayDialect().lease(), free, rowId ->
                new Object[] {connection.outbox(), rowId, owner, micros});
        return own(OWN, free);
    }

    private List<String> lockFreeRows(TablePosition after, int limit, Instant now) throws SQLException {
        TableReader reader = new TableReader(connection);
        return connection.query(
                reader.page(LOCK_FREE_ROWS, after),
                row -> row.getString(1),
                reader.after(after, connection.outbox(), shared.longest(), TableTimes.micros(now), limit));
    }

    /**
     * Locks the leases of those of these rows that are still leased by this owner until the transaction ends. The caller has
     * locked the rows, as a claim does before it changes leases: otherwise two sessions could wait for each other.
     */
    Map<String, Integer> lockOwn(List<String> rowIds) throws SQLException {
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

    /** Whether a competing session works on rows of the table. */
    static boolean anyAlive(TableConnection connection, Duration lease) throws SQLException {
        return connection.exists(
                ANY_ALIVE, connection.outbox(), LeaseBound.of(lease).toMillis() * 1_000);
    }

    /** Forgets leases of competing sessions that ended without releasing them, in the transaction of the caller. */
    static void dropExpired(TableConnection connection, Duration lease) throws SQLException {
        for (String sql : List.of(FORGET_EXPIRED, RELEASE_EXPIRED)) {
            connection.update(sql, connection.outbox(), LeaseBound.of(lease).toMillis() * 1_000);
        }
    }

    RelayName relay() {
        return renewal.relay();
    }

    long epoch() {
        return renewal.epoch();
    }

    /** @return false if the relay was dropped */
    boolean renew() {
        return renewal.renew(other -> {
            other.update(RENEW, micros, other.outbox(), owner);
            shared.renew(other);
            return other.exists(IS_REGISTERED, relay().value(), other.outbox());
        });
    }

    void end() {
        renewal.end(connection, () -> {
            for (String sql : List.of(FORGET_ALL, RELEASE_ALL)) {
                connection.update(sql, connection.outbox(), owner);
            }
            shared.release(connection);
            return owner;
        });
    }
}
