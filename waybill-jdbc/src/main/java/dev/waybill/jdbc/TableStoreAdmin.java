package dev.waybill.jdbc;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Looks into an outbox table and mends it, each call over a connection of its own. */
final class TableStoreAdmin implements StoreAdmin {
    private static final int LONGEST_DETAILS = 4_000;

    private final DataSource dataSource;
    private final TableLayout layout;
    private final TableOptions.Claiming claiming;

    private interface Work<R> {
        R on(TableConnection connection) throws SQLException;
    }

    TableStoreAdmin(DataSource dataSource, TableLayout layout, TableOptions.Claiming claiming) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.claiming = claiming;
    }

    @Override
    public List<RelayStatus> relays() {
        return query("telling how its relay stands", connection -> new TableStatus(connection).relays());
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        return query(
                "listing parked events of relay " + query.relay(),
                connection -> new TableStatus(connection).isRelay(query.relay())
                        ? new TableParked(connection).list(query)
                        : List.of());
    }

    @Override
    public Optional<EventStory> show(String eventId) {
        return query("showing event " + eventId, connection -> new TableStory(connection).of(eventId));
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Collection<String> eventIds) {
        return query("previewing a requeue on relay " + relay, connection -> {
            if (!new TableStatus(connection).isRelay(relay)) {
                return new RequeuePreview(0, 0);
            }
            List<TableMending.Parked> parked = new TableMending(connection).requeueable(eventIds);
            return new RequeuePreview(parked.size(), (int)
                    parked.stream().filter(TableMending.Parked::wouldBeLate).count());
        });
    }

    @Override
    public int requeue(RelayName relay, Collection<String> eventIds, Actor by) {
        return change(
                relay, "requeue", by, connection -> new TableMending(connection).requeue(relay, eventIds), eventIds);
    }

    @Override
    public int discard(RelayName relay, Collection<String> eventIds, Actor by) {
        return change(
                relay,
                "discard",
                by,
                connection -> new TableMending(connection).discard(relay, eventIds, by),
                eventIds);
    }

    private int change(RelayName relay, String action, Actor by, Work<Integer> work, Collection<String> eventIds) {
        return query(
                "changing parked events of relay " + relay,
                connection -> connection.inTransaction(() -> {
                    int changed = work.on(connection);
                    audit(connection, by, action, relay, changed + " of " + String.join(", ", eventIds));
                    return changed;
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
                    PreparedStatement statement = connection.prepare(TableAdminSql.PAUSE);
                    statement.setBoolean(1, paused);
                    statement.setString(2, relay.value());
                    statement.setString(3, connection.outbox());
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
                    PreparedStatement statement = connection.prepare(TableAdminSql.DROP);
                    statement.setString(1, relay.value());
                    statement.setString(2, connection.outbox());
                    boolean found = statement.executeUpdate() == 1;
                    if (found) {
                        PreparedStatement claims = connection.prepare(TableAdminSql.DROP_CLAIMS);
                        claims.setString(1, connection.outbox());
                        claims.executeUpdate();
                    }
                    audit(connection, by, "drop", relay, found ? "" : "no such relay");
                    return found;
                }));
    }

    @Override
    public PurgeStep purge(Duration olderThan, int atMost) {
        return query("purging", connection -> new TableRetention(connection).step(olderThan, atMost));
    }

    @Override
    public List<AuditEntry> audit(int atMost) {
        return query("reading the audit", connection -> {
            PreparedStatement statement = connection.prepare(TableAdminSql.READ_AUDIT);
            statement.setString(1, connection.outbox());
            statement.setInt(2, atMost);
            List<AuditEntry> entries = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    entries.add(new AuditEntry(
                            TableTimes.instant(row.getLong(1)),
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
        return TableCheckup.of(dataSource, layout, claiming);
    }

    private static void audit(TableConnection connection, Actor by, String action, RelayName relay, String details)
            throws SQLException {
        PreparedStatement statement = connection.prepare(TableAdminSql.WRITE_AUDIT);
        statement.setString(1, ErrorText.cut(by.who(), 200));
        statement.setString(2, ErrorText.cut(by.why(), 1_000));
        statement.setString(3, action);
        statement.setString(4, connection.outbox());
        statement.setString(5, relay.value());
        statement.setString(6, ErrorText.cut(details, LONGEST_DETAILS));
        statement.executeUpdate();
    }

    private <R> R query(String what, Work<R> work) {
        try {
            TableConnection connection = TableConnection.open(dataSource, layout);
            try {
                return work.on(connection);
            } finally {
                connection.closeQuietly();
            }
        } catch (SQLException e) {
            throw TableConnection.failed(what + " (table " + layout.tableName() + ")", e);
        }
    }
}
