package dev.waybill.jdbc;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.JournalPosition.Point;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreCapabilities;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The append-only outbox of PostgreSQL 14 and later: publishing writes nothing per event, several relays read it
 * independently, and order per key is that of the transactions. See {@link WindowReader} for how it reads.
 */
public final class PostgresJournal implements EventStore {
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
        return new PostgresJournalAdmin(dataSource, options);
    }

    public ReplayAdmin replays() {
        return new JournalReplays(dataSource, options);
    }

    /**
     * Makes a journal that was restored into another database cluster readable again: what every relay had surely published
     * stays published, the rest is published by all of them, in order. Every relay must have stopped.
     *
     * @return how many events will be published
     */
    public long adopt(Actor by) {
        return new PostgresJournalAdmin(dataSource, options).adopt(by);
    }

    /**
     * Binds the database to an environment, also when it was bound to another: for a copy that now belongs elsewhere.
     *
     * @param environment as in {@link JournalOptions#environment}
     */
    public void bindEnvironment(String environment, Actor by) {
        new PostgresJournalAdmin(dataSource, options).bindEnvironment(environment, by);
    }

    @Override
    public StoreCapabilities capabilities() {
        return new StoreCapabilities(true, true);
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        return JournalGate.open(dataSource, relay, connection -> open(connection, relay, owner, lease));
    }

    private Optional<RelaySession> open(JournalConnection connection, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        String systemId = JournalGate.inspect(connection, relay);
        JournalEnvironment.require(connection, relay, options.environment());
        JournalGate.requireStandbysSeen(connection, relay, options.waitFor());
        boolean isNew = create(connection, relay, systemId);
        if (JournalReplays.isReplay(connection, relay)) {
            throw JournalGate.refuse(
                    relay,
                    "its name is that of a replay, which sends only what it was started for",
                    "Give this relay another name, or drop the replay.");
        }
        Optional<JournalGate.Entered> entered =
                JournalGate.enter(connection, new JournalLease.Wanted(dataSource, relay, owner, lease), systemId);
        if (entered.isEmpty()) {
            return Optional.empty();
        }
        JournalLease held = entered.get().lease();
        JournalPosition start = entered.get().position();
        if (isNew && options.start() == JournalOptions.Start.NOW) {
            start = beginNow(connection, held);
        }
        WindowReader reader = new WindowReader(connection, relay, held.epoch(), options.waitFor());
        reader.moveTo(start);
        PositionSaver saver = new PositionSaver(connection, held, options);
        return Optional.of(new JournalSession(held, connection, options, reader, saver));
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

    private JournalPosition beginNow(JournalConnection connection, JournalLease lease) throws SQLException {
        WindowReader reader = new WindowReader(connection, lease.relay(), lease.epoch(), WaitFor.COMMIT);
        JournalPosition now =
                JournalPosition.atEndOf(reader.poll(options.clock().instant()).point());
        new PositionSaver(connection, lease, options).save(now);
        return now;
    }
}
