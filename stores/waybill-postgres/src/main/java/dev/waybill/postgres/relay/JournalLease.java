package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.postgres.journal.JournalConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** The right to run a relay for one epoch, until a time of the database's clock. */
final class JournalLease {
    private static final String RELEASE =
            "update waybill.lease set owner = null, lease_until = clock_timestamp() where relay = ? and epoch = ?";

    private final LeaseRenewals renewals;
    private final RelayName relay;
    private final long epoch;
    private final Duration length;
    private final AtomicBoolean closed = new AtomicBoolean();

    JournalLease(LeaseRenewals renewals, RelayName relay, long epoch, Duration length) {
        this.renewals = renewals;
        this.relay = relay;
        this.epoch = epoch;
        this.length = length;
    }

    /** A session holds the lease from now on, until {@link #close}. */
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

    /** Does not wait for a renewal in progress. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            renewals.leave();
        }
    }
}
