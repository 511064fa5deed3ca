package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.support.LeaseBound;
import dev.waybill.table.rows.TableConnection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The lease on a relay that competing sessions share: it is valid while one of them is open, and names the one that was opened
 * or renewed last. It keeps no competing session out, but a session that reads in order waits for its end, and the relay cannot be
 * dropped before.
 *
 * @param epoch a number that distinguishes sessions
 * @param first whether no other session had a valid lease when this one was opened
 */
record SharedLease(RelayName relay, OwnerId owner, Duration length, long epoch, boolean first) {
    private static final String LOCK = """
            select owner is not null and lease_until > {clock}, epoch + 1 from {relay} where name = ? and outbox = ? for update""";

    /** Another session may have a longer lease, up to {@link LeaseBound}. */
    private static final String UNTIL = "least(greatest(lease_until, {clock} + ?), {clock} + ?)";

    private static final String JOIN = """
            update {relay} set owner = ?, epoch = epoch + 1, lease_until = %s
             where name = ? and outbox = ?""".formatted(UNTIL);

    private static final String RENEW = """
            update {relay} set owner = ?, lease_until = %s where name = ? and outbox = ?""".formatted(UNTIL);

    private static final String RELEASE = """
            update {relay} set owner = null, lease_until = {clock} where name = ? and outbox = ? and epoch = ?""";

    static SharedLease join(TableConnection connection, RelayName relay, OwnerId owner, Duration length)
            throws SQLException {
        return connection.inTransaction(() -> {
            SharedLease lease = connection
                    .first(
                            LOCK,
                            row -> new SharedLease(relay, owner, length, row.getLong(2), !row.getBoolean(1)),
                            relay.value(),
                            connection.outbox())
                    .orElseThrow(() -> new LeaseLostException(relay, 0));
            lease.update(connection, JOIN);
            return lease;
        });
    }

    void renew(TableConnection connection) throws SQLException {
        update(connection, RENEW);
    }

    private void update(TableConnection connection, String sql) throws SQLException {
        connection.update(sql, owner.value(), micros(), longest(), relay.value(), connection.outbox());
    }

    /** Only if no other session was open at the same time: if there were others, the lease expires unless one renews it. */
    void release(TableConnection connection) throws SQLException {
        if (first) {
            connection.update(RELEASE, relay.value(), connection.outbox(), epoch);
        }
    }

    long micros() {
        return length.toMillis() * 1_000;
    }

    /** How far ahead the lease of another session may end, in microseconds. */
    long longest() {
        return LeaseBound.of(length).toMillis() * 1_000;
    }
}
