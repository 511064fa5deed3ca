package dev.waybill.postgres.admin;

import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AdoptAdmin;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.PositionAdmin;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.admin.StoreWatch;
import dev.waybill.jdbc.kernel.PostgresCheckup;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.postgres.journal.JournalAudit;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalEnvironment;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.postgres.journal.OperatorCommand;
import dev.waybill.postgres.relay.PositionStanding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Administers a journal, each call on its own connection, except those of a watch. */
public final class PostgresJournalAdmin implements StoreAdmin, AdoptAdmin, PositionAdmin {
    private static final String PAUSE = "select waybill.set_paused(?, ?, ?, ?)";

    private final DataSource dataSource;
    private final JournalSettings settings;
    /** Where the next step of retention begins: the events before it were examined and must stay. */
    private final AtomicLong purgedUpTo = new AtomicLong();

    public PostgresJournalAdmin(DataSource dataSource, JournalSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
    }

    @Override
    public String writerId(RelayName relay) {
        return query("the id of relay " + relay, connection -> PositionStanding.writerId(connection, relay));
    }

    @Override
    public Standing compare(RelayName relay, Optional<String> atDestination) {
        return query(
                "comparing positions of relay " + relay,
                connection -> PositionStanding.of(connection, relay, atDestination));
    }

    @Override
    public List<RelayStatus> relays() {
        return query("listing relays", JournalStatus::of);
    }

    @Override
    public StoreWatch watch() {
        return new JournalWatch(dataSource);
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        return query(
                "listing parked events of relay " + query.relay(),
                connection -> new JournalEvents(connection).parked(query));
    }

    @Override
    public Followers waitingBehind(RelayName relay, String eventId, int atMost) {
        return UuidForm.parse(eventId)
                .map(id -> query(
                        "listing what waits behind event " + id,
                        connection -> new JournalEvents(connection).behind(relay, id, atMost)))
                .orElse(Followers.NONE);
    }

    @Override
    public EventListing events(EventQuery query) {
        return query("listing events", connection -> new JournalListing(connection, query).page());
    }

    @Override
    public Optional<EventHistory> show(String eventId) {
        return UuidForm.parse(eventId)
                .flatMap(id -> query("showing event " + id, connection -> new JournalEvents(connection).of(id)));
    }

    @Override
    public Optional<Payload> payload(String eventId, Actor by) {
        return UuidForm.parse(eventId)
                .flatMap(id -> new OperatorCommand(dataSource, by, "payload", "", OperatorCommand.REVEALER)
                        .run(
                                id.toString(),
                                "reading the payload of event " + id,
                                connection -> new JournalEvents(connection).payload(id, by)));
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Selection selection) {
        return query(
                "previewing a requeue on relay " + relay,
                connection -> new ParkedCommands(connection, relay, selection).previewRequeue());
    }

    @Override
    public int requeue(RelayName relay, Selection selection, Actor by) {
        return change(
                "requeue",
                relay,
                by,
                selection.inWords(),
                connection -> new ParkedCommands(connection, relay, selection).requeue(by));
    }

    @Override
    public DiscardPreview previewDiscard(RelayName relay, Selection selection) {
        return query(
                "previewing a discard on relay " + relay,
                connection -> new ParkedCommands(connection, relay, selection).previewDiscard());
    }

    @Override
    public int discard(RelayName relay, Selection selection, Actor by) {
        by.requireReason();
        return change(
                "discard",
                relay,
                by,
                selection.inWords(),
                connection -> new ParkedCommands(connection, relay, selection).discard(by));
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
        return change(paused ? "pause" : "resume", relay, by, "", connection -> {
            return connection.one(PAUSE, row -> row.getBoolean(1), relay.value(), paused, by.who(), by.why());
        });
    }

    @Override
    public boolean drop(RelayName relay, Actor by) {
        return change("drop", relay, by, "", connection -> new DroppedRelays(connection, relay, by).drop());
    }

    @Override
    public boolean restore(RelayName relay, Actor by) {
        return change("restore", relay, by, "", connection -> new DroppedRelays(connection, relay, by).restore());
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
    public void note(String action, String details, Actor by) {
        query("writing the audit", connection -> {
            new JournalAudit(connection, by, action, "").note(details, true);
            return action;
        });
    }

    @Override
    public List<AuditEntry> audit(Optional<String> after, int atMost) {
        return query("reading the audit", connection -> JournalAudit.read(connection, after, atMost));
    }

    @Override
    public List<Finding> examine() {
        return JournalCheckup.of(dataSource, PostgresCheckup.PATIENCE, settings);
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

    private <R> R change(
            String action,
            RelayName relay,
            Actor by,
            String details,
            StoreConnection.Work<JournalConnection, R> change) {
        return new OperatorCommand(dataSource, by, action, relay.value(), OperatorCommand.OPERATOR)
                .run(details, inProgress(action) + relay, change);
    }

    /** The action as the middle of a sentence, up to the name of the relay. */
    private static String inProgress(String action) {
        return switch (action) {
            case "requeue" -> "requeueing events of relay ";
            case "discard" -> "discarding events of relay ";
            case "pause" -> "pausing relay ";
            case "resume" -> "resuming relay ";
            case "drop" -> "dropping relay ";
            default -> "restoring relay ";
        };
    }

    private <R> R query(String what, StoreConnection.Work<JournalConnection, R> query) {
        return JournalConnection.once(dataSource, what, query);
    }
}
