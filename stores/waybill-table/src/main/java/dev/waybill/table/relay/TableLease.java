package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.spi.support.LeaseBound;
import dev.waybill.spi.support.StoreClock;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a relay for one epoch, by the database's clock. It is renewed over a connection of its own, so that a session
 * that is busy reading does not lose it.
 */
final class TableLease {
    private static final String FIND_RELAY = "select name, outbox from {relay} where name = ? or outbox = ?";

    private static final String CREATE_RELAY = """
            insert into {relay} (name, outbox, owner, epoch, lease_until, paused, changes)
            values (?, ?, null, 0, 0, false, 0)""";

    /** For a relay that was dropped; its epoch continues. */
    private static final String REVIVE_RELAY =
            "update {relay} set outbox = ?, paused = false where name = ? and outbox is null";

    /** A lease that ends after {@link LeaseBound} is free. */
    private static final String ACQUIRE = """
            update {relay} set owner = ?, epoch = epoch + 1, lease_until = {clock} + ?
             where name = ? and outbox = ?
               and (owner is null or owner = ? or lease_until < {clock} or lease_until > {clock} + ?)""";

    private static final String EPOCH = "select epoch from {relay} where name = ?";

    private static final String RENEW = "update {relay} set lease_until = {clock} + ? where name = ? and epoch = ?";

    private static final String RELEASE =
            "update {relay} set owner = null, lease_until = {clock} where name = ? and epoch = ?";

    /** Locks the relay's row against settlements and operators. */
    private static final String FENCE = "select epoch, {clock}, {transaction} from {relay} where name = ? for update";

    private static final String UNIQUE_VIOLATION = "23";

    /** The result of {@link #FENCE}. */
    private record Fenced(long epoch, Instant now, long transaction) {}

    private final Duration length;
    private final RenewalConnection renewal;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile LongConsumer fenced = transaction -> {};

    TableLease(DataSource dataSource, TableLayout layout, RelayName relay, long epoch, Duration length) {
        this.renewal = new RenewalConnection(dataSource, layout, relay, epoch);
        this.length = length;
    }

    /** Registers the relay as the one of this table. */
    static void register(TableConnection connection, RelayName relay) throws SQLException {
        if (isRegistered(connection, relay)) {
            return;
        }
        try {
            if (connection.update(REVIVE_RELAY, connection.outbox(), relay.value()) == 0) {
                connection.update(CREATE_RELAY, relay.value(), connection.outbox());
            }
        } catch (SQLException e) {
            // In autocommit, so nothing is rolled back. Another process may have registered this relay, or another
            // one.
            if (!String.valueOf(e.getSQLState()).startsWith(UNIQUE_VIOLATION) || !isRegistered(connection, relay)) {
                throw e;
            }
        }
    }

    private static boolean isRegistered(TableConnection connection, RelayName relay) throws SQLException {
        return connection
                .query(FIND_RELAY, row -> isOwn(row, connection, relay), relay.value(), connection.outbox())
                .contains(true);
    }

    /** @return false for a dropped relay of this name */
    private static boolean isOwn(ResultSet row, TableConnection connection, RelayName relay) throws SQLException {
        String name = row.getString(1);
        @Nullable String outbox = row.getString(2);
        if (!name.equals(relay.value())) {
            throw new StoreRefusedException("Relay " + relay + " cannot read the table "
                    + connection.layout().tableName() + ": a table has one relay, and that is " + name
                    + ". Give this relay the name " + name + ", or drop that relay first.");
        }
        if (outbox != null && !outbox.equals(connection.outbox())) {
            throw new StoreRefusedException("Relay " + relay + " cannot read the table "
                    + connection.layout().tableName() + ": a relay of this name reads the table " + outbox
                    + " of the same schema. Use another name, or drop that relay first.");
        }
        return outbox != null;
    }

    /** @return the epoch, or nothing while another owner holds the lease */
    static Optional<Long> acquire(TableConnection connection, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        long micros = lease.toMillis() * 1_000;
        return connection.inTransaction(() -> {
            return connection.update(
                                    ACQUIRE,
                                    owner.value(),
                                    micros,
                                    relay.value(),
                                    connection.outbox(),
                                    owner.value(),
                                    LeaseBound.of(lease).toMillis() * 1_000)
                            == 1
                    ? epoch(connection, relay)
                    : Optional.empty();
        });
    }

    private static Optional<Long> epoch(TableConnection connection, RelayName relay) throws SQLException {
        return connection.first(EPOCH, row -> row.getLong(1), relay.value());
    }

    Duration length() {
        return length;
    }

    RelayName relay() {
        return renewal.relay();
    }

    long epoch() {
        return renewal.epoch();
    }

    /** @throws LeaseLostException if another session took over, or the relay was dropped */
    TablePoll poll(TableConnection connection, StoreClock clock, @Nullable String sequence) throws SQLException {
        TablePoll poll = TablePoll.take(connection, relay().value(), clock, sequence);
        if (poll.epoch().isEmpty() || poll.epoch().getAsLong() != epoch()) {
            throw new LeaseLostException(relay(), epoch());
        }
        return poll;
    }

    /**
     * The first statement of every transaction that writes. Until it ends, nobody else settles, requeues, discards or takes
     * over.
     *
     * @return the database's time
     */
    Instant fence(TableConnection connection) throws SQLException {
        Fenced now = connection
                .first(
                        FENCE,
                        row -> new Fenced(row.getLong(1), TableTimes.instant(row.getLong(2)), row.getLong(3)),
                        relay().value())
                .filter(fenced -> fenced.epoch() == epoch())
                .orElseThrow(() -> new LeaseLostException(relay(), epoch()));
        fenced.accept(now.transaction());
        return now.now();
    }

    /**
     * Runs fenced transactions. Those of one session wait for each other here: the database gives up waiting for a lock.
     *
     * @param transactions with retries, if any
     */
    <R> R alone(SqlWork<R> transactions) throws SQLException {
        writing.lock();
        try {
            return transactions.run();
        } finally {
            writing.unlock();
        }
    }

    /** @param transactions is given the xid of every transaction that is fenced, before it ends, on any thread */
    void onFence(LongConsumer transactions) {
        fenced = transactions;
    }

    /** Opens the connection that renews the lease, if it is not open. */
    void connect(Duration patience) throws SQLException {
        renewal.connect(patience);
    }

    boolean renew() {
        return renewal.renew(
                connection -> connection.update(RENEW, length.toMillis() * 1_000, relay().value(), epoch()) == 1);
    }

    void end(TableConnection connection) {
        renewal.end(connection, () -> connection.update(RELEASE, relay().value(), epoch()));
    }
}
