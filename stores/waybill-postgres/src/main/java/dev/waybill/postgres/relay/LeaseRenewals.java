package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SchemaLockSql;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of a journal's sessions over one connection, which is open while there are sessions. So a session that is
 * busy reading does not lose its lease, and closing one does not wait for a renewal.
 */
final class LeaseRenewals {
    /** Does not wait for a lock, since many leases are renewed over one connection. */
    private static final String RENEW = """
            update waybill.lease set lease_until = clock_timestamp() + ? * interval '1 millisecond'
             where relay = (select l.relay from waybill.lease l
                             where l.relay = ? and l.epoch = ? and l.owner is not null for no key update nowait)""";

    private static final int SHORTEST_WAIT_MILLIS = 500;

    private final DataSource dataSource;
    /** Held while a statement runs. The monitor guards only the fields, and nothing waits inside it. */
    private final ReentrantLock turn = new ReentrantLock();

    private int sessions;
    private @Nullable JournalConnection connection;

    LeaseRenewals(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    synchronized void join() {
        sessions++;
    }

    /**
     * Opens a session after the connection for renewals: over a slow network connecting may take longer than the lease lasts.
     */
    <R> R whileConnected(SqlWork<R> opening) throws SQLException {
        join();
        try {
            connect();
            return opening.run();
        } finally {
            leave();
        }
    }

    private void connect() throws SQLException {
        turn.lock();
        try {
            if (known() == null) {
                JournalConnection opened = JournalConnection.open(dataSource);
                if (!keep(opened)) {
                    opened.closeQuietly();
                }
            }
        } finally {
            turn.unlock();
        }
    }

    void leave() {
        @Nullable JournalConnection last = leaving();
        if (last != null) {
            end(last);
        }
    }

    private synchronized @Nullable JournalConnection leaving() {
        sessions--;
        @Nullable JournalConnection last = sessions == 0 ? connection : null;
        connection = sessions == 0 ? null : connection;
        return last;
    }

    /** Cuts the connection if a renewal is in progress on it, whose result is no longer needed. */
    private void end(JournalConnection last) {
        if (turn.tryLock()) {
            try {
                last.closeQuietly();
            } finally {
                turn.unlock();
            }
        } else {
            last.cut();
        }
    }

    /** @return false if the lease is lost */
    boolean renew(RelayName relay, long epoch, Duration length) {
        int patience = Math.max(SHORTEST_WAIT_MILLIS, (int) Math.min(Integer.MAX_VALUE, length.toMillis() / 4));
        try {
            if (!turn.tryLock(patience, TimeUnit.MILLISECONDS)) {
                throw new StoreException("Relay " + relay + ": the connection that renews leases has been busy for "
                        + patience + " ms; the lease was not renewed.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("Relay " + relay + " was interrupted while renewing its lease.", e);
        }
        try {
            return renew(new Renewal(relay, epoch, length, patience));
        } catch (SQLException e) {
            throw JournalConnection.failed("relay " + relay + " was renewing its lease", e);
        } finally {
            turn.unlock();
        }
    }

    /** Replaces a connection that does not answer at once: one more attempt fits before the lease ends. */
    private boolean renew(Renewal renewal) throws SQLException {
        @Nullable JournalConnection known = known();
        if (known == null) {
            return renewAnew(renewal);
        }
        try {
            return renewal.over(known);
        } catch (SQLException e) {
            if (SchemaLockSql.LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                throw e;
            }
            replace(known);
            return renewAnew(renewal);
        }
    }

    private boolean renewAnew(Renewal renewal) throws SQLException {
        JournalConnection opened = JournalConnection.open(dataSource);
        if (!keep(opened)) {
            opened.closeQuietly();
            return false;
        }
        try {
            return renewal.over(opened);
        } catch (Throwable e) {
            replace(opened);
            throw e;
        }
    }

    private synchronized @Nullable JournalConnection known() {
        return connection;
    }

    /** @return false if the last session was closed meanwhile */
    private synchronized boolean keep(JournalConnection opened) {
        if (sessions > 0) {
            connection = opened;
        }
        return sessions > 0;
    }

    private void replace(JournalConnection failed) {
        synchronized (this) {
            if (connection == failed) {
                connection = null;
            }
        }
        failed.cut();
        failed.closeQuietly();
    }

    private record Renewal(RelayName relay, long epoch, Duration length, int patience) {
        boolean over(JournalConnection connection) throws SQLException {
            connection.waitForAnswers(patience);
            return connection.update(RENEW, length.toMillis(), relay.value(), epoch) == 1;
        }
    }
}
