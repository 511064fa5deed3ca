package dev.waybill.jdbc;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.spi.RelayName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Sends parked events again, or gives them up, as a person says. */
final class JournalMending {
    /** So many in one transaction, which holds up the relay's saving. */
    private static final int STEP = 1_000;

    private static final int PREVIEW_STEP = 5_000;
    private static final int MOST_PREVIEWED = 100_000;

    private final JournalConnection connection;
    private final RelayName relay;
    private final Selection selection;

    private interface Change {
        /** @return the keys of those that were changed, one for each */
        List<UUID> of(List<Long> seqs) throws SQLException;
    }

    JournalMending(JournalConnection connection, RelayName relay, Selection selection) {
        this.connection = connection;
        this.relay = relay;
        this.selection = selection;
    }

    RequeuePreview previewRequeue() throws SQLException {
        ParkedSteps steps = new ParkedSteps(connection, relay, selection, PREVIEW_STEP);
        int found = 0;
        int late = 0;
        do {
            for (ParkedSteps.Picked picked : steps.next()) {
                found += picked.requeueable() ? 1 : 0;
                late += picked.wouldBeLate() ? 1 : 0;
            }
        } while (!steps.through() && found < MOST_PREVIEWED);
        return new RequeuePreview(found, late, steps.through());
    }

    DiscardPreview previewDiscard() throws SQLException {
        ParkedSteps steps = new ParkedSteps(connection, relay, selection, PREVIEW_STEP);
        int found = 0;
        do {
            found += steps.next().size();
        } while (!steps.through() && found < MOST_PREVIEWED);
        return new DiscardPreview(found, steps.through());
    }

    int requeue(Actor by) throws SQLException {
        return change(
                new JournalAudit(connection, by, "requeue", relay.value()),
                previewRequeue().found(),
                seqs -> changed(connection.prepare(PostgresMendingSql.REQUEUE), seqs));
    }

    int discard(Actor by) throws SQLException {
        String note = ErrorText.discarded(by);
        return change(
                new JournalAudit(connection, by, "discard", relay.value()),
                previewDiscard().found(),
                seqs -> {
                    PreparedStatement statement = connection.prepare(PostgresMendingSql.DISCARD);
                    statement.setString(3, note);
                    return changed(statement, seqs);
                });
    }

    /**
     * The entry in the audit goes with the first change. Where there are more steps it tells how many are meant, and another
     * tells how many it were in the end, if not so many.
     */
    private int change(JournalAudit audit, int meant, Change change) throws SQLException {
        ParkedSteps steps = new ParkedSteps(connection, relay, selection, STEP);
        int changed = 0;
        for (boolean first = true; first || !steps.through(); first = false) {
            int before = changed;
            boolean begins = first;
            changed += connection.inTransaction(() -> {
                lock();
                List<UUID> keys = change.of(
                        steps.next().stream().map(ParkedSteps.Picked::seq).toList());
                new Parking(connection, relay).reopen(keys);
                int soFar = before + keys.size();
                if (begins) {
                    audit.write((steps.through() ? soFar : meant) + " events: " + selection.inWords());
                } else if (steps.through() && soFar != meant) {
                    audit.write("in the end " + soFar + " events: " + selection.inWords());
                }
                return keys.size();
            });
        }
        return changed;
    }

    private void lock() throws SQLException {
        PreparedStatement lock = connection.prepare(PostgresMendingSql.LOCK_RELAY);
        lock.setString(1, relay.value());
        lock.execute();
    }

    private List<UUID> changed(PreparedStatement statement, List<Long> seqs) throws SQLException {
        statement.setString(1, relay.value());
        statement.setArray(2, connection.array("bigint", seqs.toArray()));
        List<UUID> keys = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                keys.add(row.getObject(1, UUID.class));
            }
        }
        return keys;
    }
}
