package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sends parked events again, or gives them up, as a person says. */
final class JournalMending {
    private static final String REQUEUE = "select waybill.requeue(?, ?, ?, ?, ?, ?)";

    private static final String DISCARD = "select waybill.discard(?, ?, ?, ?, ?, ?)";

    /** Events per transaction, during which the relay cannot save its position. */
    private static final int STEP = 1_000;

    private static final int PREVIEW_STEP = 5_000;
    private static final int MOST_PREVIEWED = 100_000;

    private final JournalConnection connection;
    private final RelayName relay;
    private final Selection selection;

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
        return change(REQUEUE, by);
    }

    int discard(Actor by) throws SQLException {
        return change(DISCARD, by);
    }

    /** Each step writes its entry in the audit, with what it changed; one that finds nothing does not, but the last if none did. */
    private int change(String sql, Actor by) throws SQLException {
        ParkedSteps steps = new ParkedSteps(connection, relay, selection, STEP);
        int changed = 0;
        while (!steps.through()) {
            Object[] seqs = steps.next().stream().map(ParkedSteps.Picked::seq).toArray();
            if (seqs.length > 0 || (steps.through() && changed == 0)) {
                changed += change(sql, seqs, by);
            }
        }
        return changed;
    }

    private int change(String sql, Object[] seqs, Actor by) throws SQLException {
        return connection.one(
                sql,
                row -> row.getInt(1),
                relay.value(),
                connection.array("bigint", seqs),
                state(),
                selection.inWords(),
                by.who(),
                by.why());
    }

    /** The state they were selected by: an event that has left it since is not changed. */
    private @Nullable String state() {
        return selection instanceof Selection.Matching matching
                ? matching.state().name().toLowerCase(Locale.ROOT)
                : null;
    }
}
