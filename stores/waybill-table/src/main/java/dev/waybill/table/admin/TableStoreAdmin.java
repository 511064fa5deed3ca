package dev.waybill.table.admin;

import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.admin.StoreWatch;
import dev.waybill.jdbc.kernel.KeptConnection;
import dev.waybill.jdbc.kernel.PostgresCheckup;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.relay.TableReplays;
import dev.waybill.table.rows.TableAudit;
import dev.waybill.table.rows.TableConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Administers an outbox table, each call on its own connection, except those of a watch. */
public final class TableStoreAdmin implements StoreAdmin {
    private static final String READING_STATUS = "reading the status of its relay";

    private static final String PAUSE = "update {relay} set paused = ? where name = ? and outbox = ?";

    private static final String FORGET_RELAY = """
            update {relay} set outbox = null, owner = null, epoch = epoch + 1, lease_until = 0, paused = false
             where name = ? and outbox = ?""";

    private static final String FORGET_REPLAY = "delete from {replay} where name = ?";

    private static final String LOCK_LIVE =
            "select owner, lease_until > {clock} from {relay} where name = ? and outbox = ? for update";

    private static final String DROP_CLAIMS = "delete from {claim} where outbox = ?";

    private final DataSource dataSource;
    private final TableLayout layout;
    private final boolean competing;
    private final Optional<String> guard;

    public TableStoreAdmin(DataSource dataSource, TableLayout layout, boolean competing, Optional<String> guard) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.competing = competing;
        this.guard = guard;
    }

    @Override
    public List<RelayStatus> relays() {
        return query(READING_STATUS, connection -> new TableStatus(connection).relays());
    }

    @Override
    public StoreWatch watch() {
        KeptConnection<TableConnection> kept = new KeptConnection<>(() -> TableConnection.open(dataSource, layout));
        return new StoreWatch() {
            @Override
            public Reading read() {
                return new Reading(
                        kept.on(
                                READING_STATUS + " (table " + layout.tableName() + ")",
                                connection -> new TableStatus(connection).relays()),
                        List.of());
            }

            @Override
            public void close() {
                kept.close();
            }
        };
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        return query(
                "listing parked events of relay " + query.relay(),
                query.relay(),
                connection -> new TableStatus(connection).isRelay(query.relay())
                        ? new TableParked(connection).list(query)
                        : List.of());
    }

    @Override
    public Followers waitingBehind(RelayName relay, String eventId, int atMost) {
        return query(
                "listing what waits behind event " + eventId,
                relay,
                connection -> new TableStatus(connection).isRelay(relay)
                        ? new TableHistory(connection).behind(eventId, atMost)
                        : Followers.NONE);
    }

    @Override
    public Optional<EventHistory> show(String eventId) {
        return query("showing event " + eventId, connection -> new TableHistory(connection).of(eventId));
    }

    @Override
    public EventListing events(EventQuery query) {
        return query("listing events", connection -> new TableListing(connection, query).page());
    }

    @Override
    public Optional<Payload> payload(String eventId, Actor by) {
        return query(
                "reading the payload of event " + eventId,
                connection -> connection.inTransaction(() -> {
                    Optional<Payload> payload = new TableHistory(connection).payload(eventId);
                    if (payload.isPresent()) {
                        new TableAudit(connection, by, "payload", "").write(eventId);
                    }
                    return payload;
                }));
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Selection selection) {
        return query(
                "previewing a requeue on relay " + relay,
                relay,
                connection -> new TableStatus(connection).isRelay(relay)
                        ? new RequeueAndDiscard(connection, relay, selection).previewRequeue()
                        : RequeuePreview.NONE);
    }

    @Override
    public int requeue(RelayName relay, Selection selection, Actor by) {
        return query(
                "requeueing events of relay " + relay,
                relay,
                connection -> new RequeueAndDiscard(connection, relay, selection).requeue(by));
    }

    @Override
    public DiscardPreview previewDiscard(RelayName relay, Selection selection) {
        return query(
                "previewing a discard on relay " + relay,
                relay,
                connection -> new TableStatus(connection).isRelay(relay)
                        ? new RequeueAndDiscard(connection, relay, selection).previewDiscard()
                        : DiscardPreview.NONE);
    }

    @Override
    public int discard(RelayName relay, Selection selection, Actor by) {
        by.requireReason();
        return query(
                "discarding events of relay " + relay,
                relay,
                connection -> new RequeueAndDiscard(connection, relay, selection).discard(by));
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
                (paused ? "pausing" : "resuming") + " relay " + relay,
                relay,
                connection -> connection.inTransaction(() -> {
                    boolean found = connection.update(PAUSE, paused, relay.value(), connection.outbox()) == 1;
                    audit(connection, by, paused ? "pause" : "resume", relay, found ? "" : "no such relay");
                    return found;
                }));
    }

    @Override
    public boolean drop(RelayName relay, Actor by) {
        return query(
                "dropping relay " + relay,
                relay,
                connection -> connection.inTransaction(() -> {
                    requireStopped(connection, relay);
                    boolean found = connection.update(FORGET_RELAY, relay.value(), connection.outbox()) == 1;
                    if (found) {
                        connection.update(DROP_CLAIMS, connection.outbox());
                        connection.update(FORGET_REPLAY, relay.value());
                    }
                    audit(connection, by, "drop", relay, found ? "" : "no such relay");
                    return found;
                }));
    }

    /** A dropped relay can be opened again: published rows stay marked. */
    @Override
    public boolean restore(RelayName relay, Actor by) {
        return false;
    }

    private static void requireStopped(TableConnection connection, RelayName relay) throws SQLException {
        connection.each(
                LOCK_LIVE,
                row -> {
                    if (row.getBoolean(2) && !connection.isReplay()) {
                        throw new StoreRefusedException("Relay " + relay + " is not dropped: " + row.getString(1)
                                + " runs it. Stop it in every process that has it in its configuration, then drop it."
                                + " Nothing was changed.");
                    }
                },
                relay.value(),
                connection.outbox());
    }

    @Override
    public PurgeStep purge(Duration olderThan, int atMost) {
        return query("purging", connection -> new TableRetention(connection).step(olderThan, atMost));
    }

    @Override
    public long purge(Duration olderThan, Actor by) {
        return query("purging", connection -> new TableRetention(connection).all(olderThan, by));
    }

    @Override
    public void note(String action, String details, Actor by) {
        query("writing the audit", connection -> {
            new TableAudit(connection, by, action, "").write(details);
            return action;
        });
    }

    @Override
    public List<AuditEntry> audit(Optional<String> after, int atMost) {
        return query("reading the audit", connection -> TableAudit.read(connection, after, atMost));
    }

    @Override
    public List<Finding> examine() {
        return TableCheckup.of(dataSource, layout, competing, guard, PostgresCheckup.PATIENCE);
    }

    private static void audit(TableConnection connection, Actor by, String action, RelayName relay, String details)
            throws SQLException {
        new TableAudit(connection, by, action, relay.value()).write(details);
    }

    private <R> R query(String what, StoreConnection.Work<TableConnection, R> query) {
        return TableConnection.once(dataSource, layout, what, query);
    }

    /** Uses the view of this relay, which may be a replay. */
    private <R> R query(String what, RelayName relay, StoreConnection.Work<TableConnection, R> query) {
        Optional<RelayName> replay = query(what, connection -> TableReplays.isReplay(connection, relay))
                ? Optional.of(relay)
                : Optional.empty();
        return TableConnection.once(dataSource, layout, replay, what, query);
    }
}
