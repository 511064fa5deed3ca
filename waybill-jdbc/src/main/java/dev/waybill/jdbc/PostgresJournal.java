package dev.waybill.jdbc;

import dev.waybill.admin.Actor;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.JournalPosition.Point;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreCapabilities;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The append-only outbox of PostgreSQL 14 and later: publishing writes nothing per event, several relays read it
 * independently, and order per key is that of the transactions. See {@link WindowReader} for how it reads.
 */
public final class PostgresJournal implements EventStore {
    private static final int OLDEST_SERVER = 140_000;

    private final DataSource dataSource;
    private final JournalOptions options;

    private PostgresJournal(DataSource dataSource, JournalOptions options) {
        this.dataSource = dataSource;
        this.options = options;
    }

    /**
     * @param dataSource leads to the primary server, not through a pooler in transaction mode; each session takes two
     *     connections for its whole life
     */
    public static PostgresJournal on(DataSource dataSource) {
        return on(dataSource, JournalOptions.DEFAULT);
    }

    public static PostgresJournal on(DataSource dataSource, JournalOptions options) {
        return new PostgresJournal(dataSource, options);
    }

    public StoreAdmin admin() {
        return new PostgresJournalAdmin(dataSource);
    }

    /**
     * Makes a journal that was restored into another database cluster readable again: what every relay had surely published
     * stays published, the rest is published by all of them, in order. Every relay must have stopped.
     *
     * @return how many events will be published
     */
    public long adopt(Actor by) {
        return new PostgresJournalAdmin(dataSource).adopt(by);
    }

    @Override
    public StoreCapabilities capabilities() {
        return new StoreCapabilities(true, true);
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        try {
            JournalConnection connection = JournalConnection.open(dataSource);
            try {
                Optional<RelaySession> session = open(connection, relay, owner, lease);
                if (session.isEmpty()) {
                    connection.closeQuietly();
                }
                return session;
            } catch (SQLException | RuntimeException e) {
                connection.closeQuietly();
                throw e;
            }
        } catch (SQLException e) {
            throw JournalConnection.failed("relay " + relay + " was opening its session", e);
        }
    }

    private Optional<RelaySession> open(JournalConnection connection, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        String systemId = inspect(connection, relay);
        requireSameSystem(connection, relay, systemId);
        boolean isNew = create(connection, relay, systemId);
        PreparedStatement statement = connection.prepare(PostgresJournalSql.ACQUIRE);
        statement.setString(1, owner.value());
        statement.setLong(2, lease.toMillis());
        statement.setString(3, relay.value());
        statement.setString(4, systemId);
        statement.setString(5, owner.value());
        try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            JournalLease held = new JournalLease(dataSource, relay, row.getLong(1), lease);
            JournalPosition start = position(row);
            if (isNew && options.start() == JournalOptions.Start.NOW) {
                start = beginNow(connection, held);
            }
            return Optional.of(new JournalSession(held, connection, options, start));
        }
    }

    /** Looks at the database before anything is read or written. */
    private static String inspect(JournalConnection connection, RelayName relay) throws SQLException {
        try (ResultSet row = connection.prepare(PostgresJournalSql.INSPECT).executeQuery()) {
            row.next();
            if (row.getInt("version_number") < OLDEST_SERVER) {
                throw refuse(relay, "the server is older than PostgreSQL 14", "Upgrade the server.");
            }
            if (row.getBoolean("in_recovery")) {
                throw refuse(
                        relay,
                        "the server is a standby, whose snapshots can call an unfinished transaction ended",
                        "Connect to the primary (targetServerType=primary).");
            }
            if (!row.getBoolean("initialised")) {
                throw refuse(
                        relay, "the schema waybill is not there", "Run `waybill init` or JournalSchema.create first.");
            }
            if (row.getLong("seq_cache") != 1) {
                throw refuse(
                        relay,
                        "the sequence of waybill.event.seq has CACHE " + row.getLong("seq_cache")
                                + ", so seqs do not follow the order of appending",
                        "Run `alter sequence waybill.event_seq_seq cache 1` once no writer is connected.");
            }
            if (!row.getBoolean("xid_before_seq")) {
                throw refuse(
                        relay,
                        "the column xid of waybill.event stands after seq, so an event could get its seq before its xid",
                        "Create the table as `waybill init --print` shows it.");
            }
            return row.getString("system_id");
        }
    }

    private static boolean create(JournalConnection connection, RelayName relay, String systemId) throws SQLException {
        Point base = JournalPosition.BEGINNING.base();
        PreparedStatement statement = connection.prepare(PostgresJournalSql.CREATE_RELAY);
        statement.setString(1, relay.value());
        statement.setString(2, systemId);
        statement.setObject(3, base.snapshot().toString(), Types.OTHER);
        statement.setObject(4, Long.toString(base.next()), Types.OTHER);
        statement.setLong(5, base.floor());
        return statement.executeUpdate() == 1;
    }

    /** One position or event from elsewhere is enough: a relay would skip events, a new one too. */
    private static void requireSameSystem(JournalConnection connection, RelayName relay, String systemId)
            throws SQLException {
        PreparedStatement statement = connection.prepare(PostgresJournalSql.FOREIGN);
        statement.setString(1, systemId);
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            @Nullable String other = row.getString("system_id");
            if (other != null || row.getBoolean("events")) {
                throw refuse(
                        relay,
                        (other == null
                                        ? "there are events with xids that this database cluster " + systemId
                                                + " has not given out yet"
                                        : "a position in it was saved on the database cluster " + other
                                                + ", but this is " + systemId)
                                + " (restored from a dump, or migrated): xids mean something else here, and events would"
                                + " be skipped",
                        "Stop every relay of this journal and run PostgresJournal.adopt once: what was not published yet"
                                + " stays to be published, in order; what the positions do not tell for sure may be"
                                + " published again.");
            }
        }
    }

    private JournalPosition beginNow(JournalConnection connection, JournalLease lease) throws SQLException {
        WindowReader reader = new WindowReader(connection, lease.relay(), lease.epoch());
        JournalPosition now =
                JournalPosition.atEndOf(reader.poll(options.clock().instant()).point());
        new PositionSaver(connection, lease, options).save(now);
        return now;
    }

    private static JournalPosition position(ResultSet row) throws SQLException {
        Point base = new Point(Snapshot.parse(row.getString(2)), Long.parseLong(row.getString(3)), row.getLong(4));
        @Nullable String target = row.getString(5);
        if (target == null) {
            return JournalPosition.atEndOf(base);
        }
        String next = Objects.requireNonNull(row.getString(6), "target_next");
        Point reached = new Point(Snapshot.parse(target), Long.parseLong(next), row.getLong(7));
        return new JournalPosition(base, reached, row.getLong(8), row.getLong(9));
    }

    private static StoreException refuse(RelayName relay, String why, String remedy) {
        return new StoreRefusedException("Relay " + relay + " cannot read this journal: " + why + ". " + remedy);
    }
}
