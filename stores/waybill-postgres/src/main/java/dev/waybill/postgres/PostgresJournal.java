package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.postgres.admin.PostgresJournalAdmin;
import dev.waybill.postgres.relay.JournalProcesses;
import dev.waybill.postgres.relay.JournalReplays;
import dev.waybill.postgres.relay.JournalSessions;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.spi.transaction.WindowStore;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The append-only outbox of PostgreSQL 14 and later: publishing writes nothing per event, several relays read it
 * independently, and order per key is that of the transactions.
 */
public final class PostgresJournal implements WindowStore {
    private final DataSource dataSource;
    private final JournalSessions sessions;
    private final PostgresJournalAdmin admin;

    private PostgresJournal(DataSource dataSource, JournalOptions options) {
        this.dataSource = dataSource;
        this.sessions = new JournalSessions(dataSource, options.settings());
        this.admin = new PostgresJournalAdmin(dataSource, options.settings());
    }

    /**
     * @param dataSource connects to the primary server, not through a pooler in transaction mode. Each session keeps one
     *     connection, and all sessions share one more, which renews their leases. A group of relays keeps another one.
     */
    public static PostgresJournal on(DataSource dataSource) {
        return on(dataSource, JournalOptions.defaults());
    }

    public static PostgresJournal on(DataSource dataSource, JournalOptions options) {
        return new PostgresJournal(dataSource, options);
    }

    public StoreAdmin admin() {
        return admin;
    }

    public ReplayAdmin replays() {
        return new JournalReplays(dataSource, sessions, this);
    }

    /**
     * Makes a journal that was restored into another database cluster readable: every relay continues from its position in the
     * copy. All relays must have stopped. Restored rows are not rewritten.
     *
     * @return how many relays continue
     */
    public int adopt(Actor by) {
        return admin.adopt(by);
    }

    /**
     * Binds the database to an environment, even if it is bound to another: for a copy that now belongs elsewhere.
     *
     * @param environment as in {@link JournalOptions#environment}
     */
    public void bindEnvironment(String environment, Actor by) {
        admin.bindEnvironment(environment, by);
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return admin.purge(olderThan, atMost).more();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        return sessions.openRelay(relay, owner, lease);
    }

    @Override
    public Optional<ProcessRegister> processes() {
        return Optional.of(new JournalProcesses(dataSource));
    }

    /** As {@link WindowSession#origin}, without a session. */
    public String origin() {
        return sessions.origin();
    }

    @Override
    public Optional<WindowSession> openWindows(RelayName relay, OwnerId owner, Duration lease) {
        return sessions.openWindows(relay, owner, lease);
    }
}
