package dev.waybill.postgres.admin;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.SelectedEvent;
import dev.waybill.admin.Selection;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Counted;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Requeues or discards parked events. */
record ParkedCommands(JournalConnection connection, RelayName relay, Selection selection) {
    private static final String REQUEUE = "select waybill.requeue(?, ?, ?, ?, ?, ?)";

    private static final String DISCARD = "select waybill.discard(?, ?, ?, ?, ?, ?)";

    /** Events per transaction, during which the relay cannot save its position. */
    private static final int STEP = 1_000;

    private static final int PREVIEW_STEP = 5_000;
    private static final int MOST_PREVIEWED = 100_000;
    private static final int MOST_REPEATED = 20;

    RequeuePreview previewRequeue() throws SQLException {
        ParkedSteps steps = new ParkedSteps(connection, relay, selection, PREVIEW_STEP);
        List<ParkedSteps.Parked> found = found(steps, ParkedSteps.Parked::requeueable);
        int late = (int) found.stream().filter(ParkedSteps.Parked::wouldBeLate).count();
        return new RequeuePreview(inOrder(found), late, steps.isComplete());
    }

    DiscardPreview previewDiscard() throws SQLException {
        ParkedSteps steps = new ParkedSteps(connection, relay, selection, PREVIEW_STEP);
        return new DiscardPreview(inOrder(found(steps, parked -> true)), steps.isComplete());
    }

    private static List<ParkedSteps.Parked> found(ParkedSteps steps, Predicate<ParkedSteps.Parked> wanted)
            throws SQLException {
        List<ParkedSteps.Parked> found = new ArrayList<>();
        do {
            steps.next().stream().filter(wanted).forEach(found::add);
        } while (!steps.isComplete() && found.size() < MOST_PREVIEWED);
        return found;
    }

    private static List<SelectedEvent> inOrder(List<ParkedSteps.Parked> found) {
        return found.stream()
                .sorted(Comparator.comparingLong(ParkedSteps.Parked::seq))
                .map(ParkedSteps.Parked::selected)
                .toList();
    }

    /** The first first: a relay sends them as soon as they are requeued, also between two steps. */
    int requeue(Actor by) throws SQLException {
        return change(REQUEUE, selected(Comparator.naturalOrder()), by);
    }

    /** The last first: a relay may send a waiting event as soon as no other of its key is before it, also between two steps. */
    int discard(Actor by) throws SQLException {
        return change(DISCARD, selected(Comparator.reverseOrder()), by);
    }

    /** All are found before any is changed, because a change moves others of their keys into the state that is searched. */
    private List<Long> selected(Comparator<Long> order) throws SQLException {
        ParkedSteps steps = new ParkedSteps(connection, relay, selection, STEP);
        List<Long> seqs = new ArrayList<>();
        while (!steps.isComplete()) {
            steps.next().forEach(parked -> seqs.add(parked.seq()));
        }
        seqs.sort(order);
        return seqs;
    }

    /** Every step writes audit entries, also if nothing was selected. */
    private int change(String sql, List<Long> seqs, Actor by) throws SQLException {
        int changed = 0;
        for (int from = 0; from == 0 || from < seqs.size(); from += STEP) {
            changed += change(
                    sql, seqs.subList(from, Math.min(seqs.size(), from + STEP)).toArray(), by);
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
                askedFor(),
                by.who(),
                by.why());
    }

    /** A long list of ids is replaced by their number: it would fill the entry, which names the changed events anyway. */
    private String askedFor() {
        if (selection instanceof Selection.Ids some) {
            if (!some.askedFor().isEmpty()) {
                return some.askedFor();
            }
            if (some.ids().size() > MOST_REPEATED) {
                return Counted.of(some.ids().size(), "event") + " by id";
            }
        }
        return selection.inWords();
    }

    /** The state they were selected by: an event that is no longer in it is not changed. */
    private @Nullable String state() {
        return selection
                .requiredState()
                .map(state -> state.name().toLowerCase(Locale.ROOT))
                .orElse(null);
    }
}
