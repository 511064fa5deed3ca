package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.JournalPosition.Point;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The append-only outbox of PostgreSQL 14 and later: publishing writes nothing per event, several relays read it
 * independently, and order per key is that of the transactions. See {@link WindowReader} for how it reads.
 */
public final class PostgresJournal implements EventStore {
    private static final String FIND_RELAY = """
            select r.name is not null as known, l.relay is not null as has_lease, q.relay is not null as replay, d.at, d.who, d.why
              from (select ?::text as name) x
              left join waybill.relay r on r.name = x.name
              left join waybill.lease l on l.relay = x.name
              left join waybill.replay q on q.relay = x.name
              left join waybill.dropped d on d.relay = x.name""";

    /** The relay, its position and its lease at once: a crash leaves all or nothing. */
    private static final String CREATE_RELAY = """
            with made as (
                insert into waybill.relay (name, system_id, base, base_next, base_floor, seq)
                select x.name, ?, ?::pg_snapshot, ?::xid8, ?, 0 from (select ?::text as name) x
                 where not exists (select from waybill.dropped d where d.relay = x.name)
                on conflict (name) do nothing returning name)
            insert into waybill.lease (relay) select name from made""";

    /** For a relay whose row was written by other means, such as a restore of some tables. */
    private static final String ADD_LEASE =
            "insert into waybill.lease (relay) values (?) on conflict (relay) do nothing";

    private final DataSource dataSource;
    private final JournalOptions options;
    private final LeaseRenewals renewals;

    private PostgresJournal(DataSource dataSource, JournalOptions options) {
        this.dataSource = dataSource;
        this.options = options;
        this.renewals = new LeaseRenewals(dataSource);
    }

    /**
     * @param dataSource leads to the primary server, not through a pooler in transaction mode; each session takes a
     *     connection for its whole life, and all sessions together one more, which renews their leases
     */
    public static PostgresJournal on(DataSource dataSource) {
        return on(dataSource, JournalOptions.defaults());
    }

    public static PostgresJournal on(DataSource dataSource, JournalOptions options) {
        return new PostgresJournal(dataSource, options);
    }

    public StoreAdmin admin() {
        return new PostgresJournalAdmin(dataSource, options);
    }

    public ReplayAdmin replays() {
        return new JournalReplays(dataSource, options, renewals);
    }

    /**
     * Makes a journal that was restored into another database cluster readable again: every relay goes on from where it stood
     * in the copy. Every relay must have stopped. What was restored is not rewritten.
     *
     * @return how many relays go on
     */
    public int adopt(Actor by) {
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
    public boolean purge(Duration olderThan, int atMost) {
        return admin().purge(olderThan, atMost).more();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        return JournalConnection.session(
                () -> JournalConnection.open(dataSource), relay, connection -> open(connection, relay, owner, lease));
    }

    private Optional<RelaySession> open(JournalConnection connection, RelayName relay, OwnerId owner, Duration lease)
            throws SQLException {
        String systemId = JournalGate.inspect(connection, relay);
        JournalEnvironment.require(connection, relay, options.environment());
        JournalGate.requireStandbysSeen(connection, relay, options.waitFor());
        createIfNew(connection, relay, systemId);
        JournalLease.Wanted wanted = new JournalLease.Wanted(renewals, relay, owner, lease);
        return JournalGate.isFree(connection, wanted, systemId)
                ? renewals.whileConnected(() -> begin(connection, wanted, systemId))
                : Optional.empty();
    }

    private Optional<RelaySession> begin(JournalConnection connection, JournalLease.Wanted wanted, String systemId)
            throws SQLException {
        Optional<JournalGate.Entered> entered = JournalGate.enter(connection, wanted, systemId);
        if (entered.isEmpty()) {
            return Optional.empty();
        }
        JournalLease held = entered.get().lease();
        WindowReader reader = new WindowReader(connection, held.relay(), held.epoch(), options.waitFor());
        reader.moveTo(entered.get().position());
        PositionSaver saver = new PositionSaver(connection, held, options);
        return Optional.of(new JournalSession(held, connection, options, reader, saver));
    }

    private void createIfNew(JournalConnection connection, RelayName relay, String systemId) throws SQLException {
        boolean known = connection.one(FIND_RELAY, row -> isKnown(row, connection, relay), relay.value());
        if (!known) {
            create(connection, relay, systemId);
        }
    }

    private static boolean isKnown(ResultSet row, JournalConnection connection, RelayName relay) throws SQLException {
        if (row.getBoolean("replay")) {
            throw JournalGate.refuse(
                    relay,
                    "its name is that of a replay, which sends only what it was started for",
                    "Give this relay another name, or drop the replay.");
        }
        if (row.getBoolean("known")) {
            if (!row.getBoolean("has_lease")) {
                connection.update(ADD_LEASE, relay.value());
            }
            return true;
        }
        if (row.getTimestamp("at") != null) {
            throw JournalGate.refuse(
                    relay,
                    row.getString("who") + " dropped it at "
                            + row.getTimestamp("at").toInstant() + " (" + row.getString("why") + ")",
                    "Remove it from the configuration of this process. To begin it anew on purpose:"
                            + " `waybill relay restore " + relay + "` or StoreAdmin.restore.");
        }
        return false;
    }

    private void create(JournalConnection connection, RelayName relay, String systemId) throws SQLException {
        Point base = JournalPosition.BEGINNING.base();
        if (options.start() == JournalOptions.Start.NOW) {
            try {
                base = now(connection, relay);
            } catch (LeaseLostException e) {
                // Another process has made the relay meanwhile; its position counts.
                return;
            }
        }
        connection.update(
                CREATE_RELAY,
                systemId,
                SqlArgument.other(base.snapshot().toString()),
                SqlArgument.xid(base.next()),
                base.floor(),
                relay.value());
    }

    /** Taken before the relay is there: its row has the position from the start. */
    private Point now(JournalConnection connection, RelayName relay) throws SQLException {
        long noEpoch = 0;
        return new WindowReader(connection, relay, noEpoch, WaitFor.COMMIT)
                .poll(options.clock().instant(), new DueFloor())
                .point();
    }
}
