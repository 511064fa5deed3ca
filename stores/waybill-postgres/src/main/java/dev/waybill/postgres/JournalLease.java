package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** The right to run a relay, for one epoch, by the database's clock. */
final class JournalLease {
    private static final String RELEASE =
            "update waybill.lease set owner = null, lease_until = clock_timestamp() where relay = ? and epoch = ?";

    private final LeaseRenewals renewals;
    private final RelayName relay;
    private final long epoch;
    private final Duration length;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A lease that is asked for. */
    record Wanted(LeaseRenewals renewals, RelayName relay, OwnerId owner, Duration length) {
        JournalLease granted(long epoch) {
            return new JournalLease(renewals, relay, epoch, length);
        }
    }

    private JournalLease(LeaseRenewals renewals, RelayName relay, long epoch, Duration length) {
        this.renewals = renewals;
        this.relay = relay;
        this.epoch = epoch;
        this.length = length;
    }

    /** A session holds it from now on, until {@link #close}. */
    void begin() {
        renewals.join();
    }

    RelayName relay() {
        return relay;
    }

    long epoch() {
        return epoch;
    }

    boolean renew() {
        return !closed.get() && renewals.renew(relay, epoch, length);
    }

    void release(JournalConnection connection) throws SQLException {
        connection.update(RELEASE, relay.value(), epoch);
    }

    /** Waits for no renewal that is under way. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            renewals.leave();
        }
    }
}
