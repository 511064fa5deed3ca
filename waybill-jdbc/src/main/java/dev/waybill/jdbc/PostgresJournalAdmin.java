package dev.waybill.jdbc;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Looks into a journal and mends it, each call over a connection of its own. */
final class PostgresJournalAdmin implements StoreAdmin {
    private final DataSource dataSource;
    /** Where the next step of retention begins: what lies before was looked at and had to stay. */
    private final AtomicLong purgedUpTo = new AtomicLong();

    PostgresJournalAdmin(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public List<RelayStatus> relays() {
        return query("listing relays", connection -> {
            List<RelayStatus> relays = new ArrayList<>();
            try (ResultSet row = connection.prepare(PostgresAdminSql.RELAYS).executeQuery()) {
                while (row.next()) {
                    relays.add(relayStatus(row));
                }
            }
            return relays;
        });
    }

    private static RelayStatus relayStatus(ResultSet row) throws SQLException {
        Optional<RelayStatus.Lease> lease = row.getBoolean("live")
                ? Optional.of(new RelayStatus.Lease(
                        row.getString("owner"),
                        row.getLong("epoch"),
                        row.getTimestamp("lease_until").toInstant()))
                : Optional.empty();
        double oldest = row.getDouble("oldest_seconds");
        Optional<Duration> age =
                row.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis((long) (Math.max(0, oldest) * 1000)));
        return new RelayStatus(
                row.getString("name"),
                lease,
                row.getBoolean("paused"),
                row.getLong("backlog"),
                age,
                row.getLong("parked"),
                row.getLong("dead"));
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        return query("listing parked events of relay " + query.relay(), connection -> {
            PreparedStatement statement = connection.prepare(PostgresAdminSql.PARKED);
            @Nullable String state =
                    query.state().map(s -> s.name().toLowerCase(Locale.ROOT)).orElse(null);
            statement.setString(1, query.relay().value());
            statement.setLong(2, query.after());
            statement.setString(3, state);
            statement.setString(4, state);
            statement.setInt(5, query.atMost());
            List<ParkedEvent> events = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    events.add(parkedEvent(row, 1));
                }
            }
            return events;
        });
    }

    private static ParkedEvent parkedEvent(ResultSet row, int first) throws SQLException {
        @Nullable Timestamp next = row.getTimestamp(first + 6);
        return new ParkedEvent(
                row.getLong(first),
                row.getString(first + 1),
                row.getString(first + 2),
                ParkedState.valueOf(row.getString(first + 3).toUpperCase(Locale.ROOT)),
                row.getInt(first + 4),
                Optional.ofNullable(row.getString(first + 5)),
                next == null || next.getTime() < 0 ? Optional.empty() : Optional.of(next.toInstant()),
                row.getBoolean(first + 7));
    }

    @Override
    public Optional<EventStory> show(String eventId) {
        return uuid(eventId).flatMap(this::show);
    }

    private Optional<EventStory> show(UUID id) {
        return query("showing event " + id, connection -> {
            PreparedStatement statement = connection.prepare(PostgresAdminSql.EVENT);
            statement.setObject(1, id);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                return Optional.of(new EventStory(
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getTimestamp(5).toInstant(),
                        row.getInt(6),
                        chapters(connection, id)));
            }
        });
    }

    private static List<EventStory.Chapter> chapters(JournalConnection connection, UUID id) throws SQLException {
        PreparedStatement statement = connection.prepare(PostgresAdminSql.CHAPTERS);
        statement.setObject(1, id);
        List<EventStory.Chapter> chapters = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                boolean passed = row.getBoolean(2);
                Optional<Instant> loggedAt =
                        Optional.ofNullable(row.getTimestamp(3)).map(Timestamp::toInstant);
                Optional<ParkedEvent> parked = row.getBoolean(4) ? Optional.of(parkedEvent(row, 5)) : Optional.empty();
                EventStory.State state = parked.map(
                                p -> p.state() == ParkedState.DEAD ? EventStory.State.DEAD : EventStory.State.PARKED)
                        .orElse(passed ? EventStory.State.PUBLISHED : EventStory.State.PENDING);
                chapters.add(new EventStory.Chapter(
                        row.getString(1),
                        state,
                        parked,
                        state == EventStory.State.PUBLISHED ? loggedAt : Optional.empty()));
            }
        }
        return chapters;
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Collection<String> eventIds) {
        return query("previewing a requeue on relay " + relay, connection -> {
            PreparedStatement statement = connection.prepare(PostgresAdminSql.PREVIEW_REQUEUE);
            bindEvents(connection, statement, relay, eventIds);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new RequeuePreview(row.getInt(1), row.getInt(2));
            }
        });
    }

    @Override
    public int requeue(RelayName relay, Collection<String> eventIds, Actor by) {
        return changeParked(PostgresAdminSql.REQUEUE, "requeue", relay, eventIds, by);
    }

    @Override
    public int discard(RelayName relay, Collection<String> eventIds, Actor by) {
        return changeParked(PostgresAdminSql.DISCARD, "discard", relay, eventIds, by);
    }

    private int changeParked(String sql, String action, RelayName relay, Collection<String> eventIds, Actor by) {
        return query(
                "changing parked events of relay " + relay,
                connection -> connection.inTransaction(() -> {
                    PreparedStatement lock = connection.prepare(PostgresAdminSql.LOCK_RELAY);
                    lock.setString(1, relay.value());
                    lock.execute();
                    PreparedStatement statement = connection.prepare(sql);
                    bindEvents(connection, statement, relay, eventIds);
                    List<UUID> keys = new ArrayList<>();
                    try (ResultSet row = statement.executeQuery()) {
                        while (row.next()) {
                            keys.add(row.getObject(1, UUID.class));
                        }
                    }
                    new Parking(connection, relay).reopen(keys);
                    audit(connection, by, action, relay, keys.size() + " of " + String.join(", ", eventIds));
                    return keys.size();
                }));
    }

    @Override
    public boolean pause(RelayName relay, Actor by) {
        return setPaused(relay, true, by);
    }

    @Override
    public boolean resume(RelayName relay, Actor by) {
        return setPaused(relay, false, by);
    }

    private boolean setPaused(RelayName relay, boolean paused, Actor by) {
        return query(
                "pausing or resuming relay " + relay,
                connection -> connection.inTransaction(() -> {
                    PreparedStatement statement = connection.prepare(PostgresAdminSql.PAUSE);
                    statement.setBoolean(1, paused);
                    statement.setString(2, relay.value());
                    boolean found = statement.executeUpdate() == 1;
                    audit(connection, by, paused ? "pause" : "resume", relay, found ? "" : "no such relay");
                    return found;
                }));
    }

    @Override
    public boolean drop(RelayName relay, Actor by) {
        return query(
                "dropping relay " + relay,
                connection -> connection.inTransaction(() -> {
                    PreparedStatement statement = connection.prepare(PostgresAdminSql.DROP);
                    statement.setString(1, relay.value());
                    boolean found = statement.executeUpdate() == 1;
                    audit(connection, by, "drop", relay, found ? "" : "no such relay");
                    return found;
                }));
    }

    @Override
    public PurgeStep purge(Duration olderThan, int atMost) {
        return query(
                "purging",
                connection -> connection.inTransaction(() -> {
                    PreparedStatement log = connection.prepare(PostgresAdminSql.PURGE_LOG);
                    log.setLong(1, olderThan.toMillis());
                    log.executeUpdate();
                    PreparedStatement statement = connection.prepare(PostgresAdminSql.PURGE);
                    statement.setLong(1, olderThan.toMillis());
                    statement.setLong(2, purgedUpTo.get());
                    statement.setInt(3, atMost);
                    try (ResultSet row = statement.executeQuery()) {
                        row.next();
                        boolean more = row.getInt(2) == atMost && row.getBoolean(4);
                        purgedUpTo.set(more ? row.getLong(3) : 0);
                        return new PurgeStep(row.getInt(1), more);
                    }
                }));
    }

    @Override
    public List<AuditEntry> audit(int atMost) {
        return query("reading the audit", connection -> {
            PreparedStatement statement = connection.prepare(PostgresAdminSql.READ_AUDIT);
            statement.setInt(1, atMost);
            List<AuditEntry> entries = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    entries.add(new AuditEntry(
                            row.getTimestamp(1).toInstant(),
                            new Actor(row.getString(2), row.getString(3)),
                            row.getString(4),
                            row.getString(5),
                            row.getString(6)));
                }
            }
            return entries;
        });
    }

    @Override
    public List<Finding> examine() {
        return JournalCheckup.of(dataSource);
    }

    /** See {@link PostgresJournal#adopt}. */
    long adopt(Actor by) {
        return query(
                "adopting a restored journal",
                connection -> connection.withoutTimeout().inTransaction(() -> {
                    try (ResultSet row =
                            connection.prepare(PostgresAdminSql.LIVE_RELAYS).executeQuery()) {
                        row.next();
                        if (row.getString(1) != null) {
                            throw new StoreException(
                                    "These relays still run: " + row.getString(1)
                                            + ". Stop them, wait until their leases end, and adopt again. Nothing was changed.");
                        }
                    }
                    int replays =
                            connection.prepare(PostgresAdminSql.DROP_REPLAYS).executeUpdate();
                    connection.prepare(PostgresAdminSql.ADOPT_EVENTS).executeUpdate();
                    connection.prepare(PostgresAdminSql.ADOPT_RELAYS).executeUpdate();
                    connection.prepare(PostgresAdminSql.ADOPT_LOG).executeUpdate();
                    try (ResultSet row =
                            connection.prepare(PostgresAdminSql.COUNT_ADOPTED).executeQuery()) {
                        row.next();
                        long remaining = row.getLong(1);
                        audit(
                                connection,
                                by,
                                "adopt",
                                new RelayName("all"),
                                remaining + " events to publish, " + replays + " replays dropped");
                        return remaining;
                    }
                }));
    }

    static void audit(JournalConnection connection, Actor by, String action, RelayName relay, String details)
            throws SQLException {
        PreparedStatement statement = connection.prepare(PostgresAdminSql.WRITE_AUDIT);
        statement.setString(1, by.who());
        statement.setString(2, by.why());
        statement.setString(3, action);
        statement.setString(4, relay.value());
        statement.setString(5, details);
        statement.executeUpdate();
    }

    private static void bindEvents(
            JournalConnection connection, PreparedStatement statement, RelayName relay, Collection<String> eventIds)
            throws SQLException {
        statement.setString(1, relay.value());
        statement.setArray(
                2,
                connection.array(
                        "uuid",
                        eventIds.stream().flatMap(id -> uuid(id).stream()).toArray()));
    }

    /** What is no UUID is no event of the journal. */
    private static Optional<UUID> uuid(String eventId) {
        return JournalInsert.isUuid(eventId) ? Optional.of(UUID.fromString(eventId)) : Optional.empty();
    }

    private <R> R query(String what, JournalConnection.Query<R> query) {
        return JournalConnection.query(dataSource, what, query);
    }
}
