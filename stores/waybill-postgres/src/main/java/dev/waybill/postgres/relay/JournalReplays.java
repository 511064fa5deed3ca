package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.ReplayStatus.Counts;
import dev.waybill.admin.ReplayStatus.State;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalInspection;
import dev.waybill.postgres.journal.OperatorCommand;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Starts, lists and cancels replays of a journal, each call on its own connection.
 *
 * @param journal does the retention
 */
public record JournalReplays(DataSource dataSource, JournalSessions sessions, EventStore journal)
        implements ReplayAdmin {
    private static final String SAVE_TOTAL = "select waybill.set_replay_total(?, ?, ?)";

    private static final String REPLAYS = """
            select q.relay, nullif(q.created_from, '-infinity'), nullif(q.created_until, 'infinity'), q.type,
                   q.aggregate_type, q.aggregate_id, q.who, q.why, q.started_at, q.cancelled_by is not null,
                   q.ended_at is not null, l.owner, r.epoch, l.lease_until, l.lease_until > clock_timestamp(), r.paused,
                   q.total, q.total_exact, q.sent, q.not_sent, q.not_sent_exact, %s,
                   (select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'dead')
              from waybill.replay q join waybill.relay r on r.name = q.relay join waybill.lease l on l.relay = q.relay
             where q.relay = coalesce(?, q.relay) order by q.started_at, q.relay""".formatted(ReplayEnding.PARKED);

    private static final String IS_REPLAY = "select from waybill.replay where relay = ?";

    /** The journal as a store whose relays are replays. */
    private record Store(JournalSessions sessions, EventStore journal) implements EventStore {
        @Override
        public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
            return sessions.openReplay(relay, owner, lease);
        }

        @Override
        public boolean purge(Duration olderThan, int atMost) {
            return journal.purge(olderThan, atMost);
        }

        @Override
        public Optional<ProcessRegister> processes() {
            return Optional.empty();
        }
    }

    static boolean isReplay(JournalConnection connection, RelayName relay) throws SQLException {
        return connection.exists(IS_REPLAY, relay.value());
    }

    @Override
    public EventStore store() {
        return new Store(sessions, journal);
    }

    @Override
    public ReplaySize preview(ReplayQuery query) {
        return query("previewing a replay", connection -> {
            ReplayRange range = ReplayRange.now(connection, query);
            return range.count(connection, query);
        });
    }

    @Override
    public ReplayStatus start(RelayName name, ReplayQuery query, Actor by) {
        return new OperatorCommand(dataSource, by, "replay-start", name.value(), OperatorCommand.OPERATOR)
                .run(query.inWords(), "starting the replay " + name, connection -> {
                    begin(connection, name, query, by);
                    return find(connection, name).orElseThrow();
                });
    }

    /** Inserts the row first: from then on retention keeps the events that are counted. */
    private static void begin(JournalConnection connection, RelayName name, ReplayQuery query, Actor by)
            throws SQLException {
        JournalInspection.require(connection, name);
        ReplayRange range = ReplayRange.now(connection, query)
                .start(connection, name, query, by)
                .orElseThrow(
                        () -> new StoreRefusedException("The replay " + name + " cannot be started: there is a relay or"
                                + " a replay of that name. Use another name, or drop that one first."));
        ReplaySize size = range.count(connection, query);
        connection.execute(SAVE_TOTAL, name.value(), size.events(), size.exact());
    }

    @Override
    public List<ReplayStatus> replays() {
        return query("listing replays", connection -> statuses(connection, null));
    }

    @Override
    public Optional<ReplayStatus> replay(RelayName name) {
        return query("reading the replay " + name, connection -> find(connection, name));
    }

    @Override
    public Optional<ReplayStatus> cancel(RelayName name, Actor by) {
        return new OperatorCommand(dataSource, by, "replay-cancel", name.value(), OperatorCommand.OPERATOR)
                .run("", "cancelling the replay " + name, connection -> {
                    new ReplayEnding(connection, name).cancel(by);
                    return find(connection, name);
                });
    }

    static Optional<ReplayStatus> find(JournalConnection connection, RelayName name) throws SQLException {
        return statuses(connection, name.value()).stream().findFirst();
    }

    private static List<ReplayStatus> statuses(JournalConnection connection, @Nullable String name)
            throws SQLException {
        return connection.query(REPLAYS, JournalReplays::status, name);
    }

    private static ReplayStatus status(ResultSet row) throws SQLException {
        Optional<RelayStatus.Lease> lease = row.getBoolean(15)
                ? Optional.of(new RelayStatus.Lease(
                        row.getString(12), row.getLong(13), row.getTimestamp(14).toInstant()))
                : Optional.empty();
        return new ReplayStatus(
                row.getString(1),
                readQuery(row),
                State.of(row.getBoolean(10), row.getBoolean(11)),
                Actor.recorded(row.getString(7), row.getString(8)),
                row.getTimestamp(9).toInstant(),
                lease,
                row.getBoolean(16),
                counts(row));
    }

    private static ReplayQuery readQuery(ResultSet row) throws SQLException {
        return new ReplayQuery(
                Optional.ofNullable(row.getTimestamp(2)).map(Timestamp::toInstant),
                Optional.ofNullable(row.getTimestamp(3)).map(Timestamp::toInstant),
                Optional.ofNullable(row.getString(4)),
                Optional.ofNullable(row.getString(5)),
                Optional.ofNullable(row.getString(6)));
    }

    private static Counts counts(ResultSet row) throws SQLException {
        long sent = row.getLong(19);
        long parked = row.getLong(22);
        long dead = row.getLong(23);
        long left = row.getLong(20);
        if (row.wasNull()) {
            return Counts.of(new ReplaySize(row.getLong(17), row.getBoolean(18)), sent, parked, dead);
        }
        return new Counts(sent, new ReplaySize(left, row.getBoolean(21)), parked, dead);
    }

    private <R> R query(String what, StoreConnection.Work<JournalConnection, R> query) {
        return JournalConnection.once(dataSource, what, query);
    }
}
