package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.support.LeaseBound;
import dev.waybill.spi.transaction.WindowPosition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lease that an owner asks for. */
record LeaseRequest(LeaseRenewals renewals, RelayName relay, OwnerId owner, Duration length) {
    /**
     * Whether an owner may take lease {@code l}, which may end at {@link LeaseBound} at most.
     */
    private static final String IS_FREE = """
            (l.owner is null or l.owner = ? or l.lease_until < clock_timestamp()
             or l.lease_until > clock_timestamp() + ? * interval '1 millisecond')""";

    /** Standby processes run this often. */
    private static final String FIND_FREE = """
            select from waybill.relay r
             where r.name = ? and r.system_id = ?
               and exists (select from waybill.lease l where l.relay = r.name and %s)""".formatted(IS_FREE);

    /** Takes no lock while another owner holds the lease. */
    private static final String LOCK_IF_FREE = FIND_FREE + " for no key update of r";

    private static final String ACQUIRE = """
            with taken as (
                update waybill.lease l
                   set owner = ?, epoch = nextval('waybill.epoch'),
                       lease_until = clock_timestamp() + ? * interval '1 millisecond'
                 where l.relay = ? and %s returning l.relay, l.epoch)
            update waybill.relay r set epoch = t.epoch from taken t where r.name = t.relay
            returning r.epoch, r.base::text, r.base_next::text, r.base_floor, r.target::text, r.target_next::text,
                      r.target_floor, r.high, r.seq, r.committed_window, r.committed_seq""".formatted(IS_FREE);

    /**
     * @param position the saved position of the relay
     * @param committed the position of its destination that it corresponds to; null if the relay saves its position itself
     */
    record Granted(
            JournalLease lease,
            JournalPosition position,
            @Nullable WindowPosition committed) {}

    boolean isFree(JournalConnection connection, String systemId) throws SQLException {
        return connection.exists(FIND_FREE, relay.value(), systemId, owner.value(), longest());
    }

    /**
     * Changes the lease's row and the epoch that fences saves in one transaction, under the lock that saves take.
     *
     * @return empty while another owner holds the lease
     */
    Optional<Granted> acquire(JournalConnection connection, String systemId) throws SQLException {
        long millis = length.toMillis();
        return connection.inTransaction(
                () -> connection.exists(LOCK_IF_FREE, relay.value(), systemId, owner.value(), longest())
                        ? connection.first(
                                ACQUIRE, this::granted, owner.value(), millis, relay.value(), owner.value(), longest())
                        : Optional.empty());
    }

    private long longest() {
        return LeaseBound.of(length).toMillis();
    }

    private Granted granted(ResultSet row) throws SQLException {
        @Nullable UUID window = row.getObject(10, UUID.class);
        return new Granted(
                new JournalLease(renewals, relay, row.getLong(1), length),
                PositionColumns.read(row, 2),
                window == null ? null : new WindowPosition(window, row.getLong(11)));
    }
}
