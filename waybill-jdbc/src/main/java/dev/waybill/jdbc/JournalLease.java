package dev.waybill.jdbc;

import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The right to run a relay, for one epoch, by the database's clock. Renewed over a connection of its own, so that a session
 * that is busy reading does not lose it.
 */
final class JournalLease {
    private final DataSource dataSource;
    private final RelayName relay;
    private final long epoch;
    private final Duration length;
    private @Nullable JournalConnection renewing;
    private boolean closed;

    /** A lease that is asked for. */
    record Wanted(DataSource dataSource, RelayName relay, OwnerId owner, Duration length) {
        JournalLease granted(long epoch) {
            return new JournalLease(dataSource, relay, epoch, length);
        }
    }

    JournalLease(DataSource dataSource, RelayName relay, long epoch, Duration length) {
        this.dataSource = dataSource;
        this.relay = relay;
        this.epoch = epoch;
        this.length = length;
    }

    RelayName relay() {
        return relay;
    }

    long epoch() {
        return epoch;
    }

    synchronized boolean renew() {
        if (closed) {
            return false;
        }
        try {
            JournalConnection connection = renewing;
            if (connection == null) {
                connection = JournalConnection.open(dataSource);
                renewing = connection;
            }
            PreparedStatement statement = connection.prepare(PostgresJournalSql.RENEW);
            statement.setLong(1, length.toMillis());
            statement.setString(2, relay.value());
            statement.setLong(3, epoch);
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            disconnect();
            throw JournalConnection.failed("relay " + relay + " was renewing its lease", e);
        }
    }

    void release(JournalConnection connection) throws SQLException {
        PreparedStatement statement = connection.prepare(PostgresJournalSql.RELEASE);
        statement.setString(1, relay.value());
        statement.setLong(2, epoch);
        statement.executeUpdate();
    }

    synchronized void close() {
        closed = true;
        disconnect();
    }

    private void disconnect() {
        JournalConnection connection = renewing;
        renewing = null;
        if (connection != null) {
            connection.closeQuietly();
        }
    }
}
