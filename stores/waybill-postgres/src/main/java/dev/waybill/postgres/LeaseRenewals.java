package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of a journal's sessions over one connection, which is there while there are sessions. A session that is
 * busy reading does not lose its lease, and one that is closed waits for nobody.
 */
final class LeaseRenewals {
    /** Waits for nobody: many leases are renewed over one connection. */
    private static final String RENEW = """
            update waybill.lease set lease_until = clock_timestamp() + ? * interval '1 millisecond'
             where relay = (select l.relay from waybill.lease l
                             where l.relay = ? and l.epoch = ? and l.owner is not null for no key update nowait)""";

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final int SHORTEST_WAIT_MILLIS = 500;

    private final DataSource dataSource;
    /** Held while a statement is under way. The monitor guards the fields alone, and nobody waits inside it. */
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
     * Opens a session once there is a connection to renew its lease with: over a slow network opening one takes longer than a
     * lease holds.
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

    /** If a renewal is still under way on it, its answer interests nobody any more. */
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

    /** @return false when the lease is lost */
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

    /** A connection that does not answer is replaced at once: there is time for one more attempt before the lease ends. */
    private boolean renew(Renewal renewal) throws SQLException {
        @Nullable JournalConnection known = known();
        if (known == null) {
            return renewAnew(renewal);
        }
        try {
            return renewal.over(known);
        } catch (SQLException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
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

    /** @return false when the last session was closed meanwhile */
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
