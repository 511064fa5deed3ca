package dev.waybill.jdbc;

import dev.waybill.Payload;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AdoptAdmin;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Looks into a journal and mends it, each call over a connection of its own. */
final class PostgresJournalAdmin implements StoreAdmin, AdoptAdmin {
    private final DataSource dataSource;
    private final JournalOptions options;
    /** Where the next step of retention begins: what lies before was looked at and had to stay. */
    private final AtomicLong purgedUpTo = new AtomicLong();

    PostgresJournalAdmin(DataSource dataSource, JournalOptions options) {
        this.dataSource = dataSource;
        this.options = options;
    }

    @Override
    public List<RelayStatus> relays() {
        return query("listing relays", JournalStatus::of);
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        return query(
                "listing parked events of relay " + query.relay(),
                connection -> new JournalStory(connection).parked(query));
    }

    @Override
    public EventListing events(EventQuery query) {
        return query("listing events", connection -> new JournalListing(connection, query).page());
    }

    @Override
    public Optional<EventStory> show(String eventId) {
        return JournalInsert.uuid(eventId)
                .flatMap(id -> query("showing event " + id, connection -> new JournalStory(connection).of(id)));
    }

    @Override
    public Optional<Payload> payload(String eventId, Actor by) {
        return JournalInsert.uuid(eventId)
                .flatMap(id -> query(
                        "reading the payload of event " + id,
                        connection -> connection.inTransaction(() -> {
                            Optional<Payload> payload = new JournalStory(connection).payload(id);
                            if (payload.isPresent()) {
                                new JournalAudit(connection, by, "payload", "").write(id.toString());
                            }
                            return payload;
                        })));
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Selection selection) {
        return query(
                "previewing a requeue on relay " + relay,
                connection -> new JournalMending(connection, relay, selection).previewRequeue());
    }

    @Override
    public int requeue(RelayName relay, Selection selection, Actor by) {
        return query(
                "requeueing events of relay " + relay,
                connection -> new JournalMending(connection, relay, selection).requeue(by));
    }

    @Override
    public DiscardPreview previewDiscard(RelayName relay, Selection selection) {
        return query(
                "previewing a discard on relay " + relay,
                connection -> new JournalMending(connection, relay, selection).previewDiscard());
    }

    @Override
    public int discard(RelayName relay, Selection selection, Actor by) {
        by.requireReason();
        return query(
                "discarding events of relay " + relay,
                connection -> new JournalMending(connection, relay, selection).discard(by));
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
        return query("dropping relay " + relay, connection -> new RelayDropping(connection, relay, by).drop());
    }

    @Override
    public boolean restore(RelayName relay, Actor by) {
        return query("restoring relay " + relay, connection -> new RelayDropping(connection, relay, by).restore());
    }

    @Override
    public PurgeStep purge(Duration olderThan, int atMost) {
        return query("purging", connection -> {
            JournalRetention retention = new JournalRetention(connection, olderThan, purgedUpTo.get());
            PurgeStep step = retention.step(atMost);
            purgedUpTo.set(retention.upTo());
            return step;
        });
    }

    @Override
    public long purge(Duration olderThan, Actor by) {
        return query("purging", connection -> new JournalRetention(connection, olderThan, 0).all(by));
    }

    @Override
    public List<AuditEntry> audit(int atMost) {
        return query("reading the audit", connection -> JournalAudit.read(connection, atMost));
    }

    @Override
    public List<Finding> examine() {
        return JournalCheckup.of(dataSource, PostgresCheckup.PATIENCE, options);
    }

    @Override
    public void bindEnvironment(String environment, Actor by) {
        query("binding the journal to the environment " + environment, connection -> {
            JournalEnvironment.bind(connection, environment, by);
            return environment;
        });
    }

    @Override
    public int adopt(Actor by) {
        return query("adopting a restored journal", connection -> new Adoption(connection, by).adopt());
    }

    private static void audit(JournalConnection connection, Actor by, String action, RelayName relay, String details)
            throws SQLException {
        new JournalAudit(connection, by, action, relay.value()).write(details);
    }

    private <R> R query(String what, JournalConnection.Query<R> query) {
        return JournalConnection.query(dataSource, what, query);
    }
}
