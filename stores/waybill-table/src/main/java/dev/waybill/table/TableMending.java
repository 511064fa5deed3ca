package dev.waybill.table;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.kernel.SqlWork;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends rows again, or gives them up, as a person says. Not those that a competing relay is working on: their fate is decided
 * when it settles them. Nor those that somebody has locked for long: see {@link MendingLocks}.
 */
final class TableMending {
    /** Rows with a lease that runs. */
    private static final String AT_WORK =
            "select row_id from {claim} where concat(outbox, '') = ? and lease_until >= {clock} and row_id {among}";

    /** Whoever changes what waits holds this lock, as the relay does when it settles. */
    private static final String LOCK = "select {clock} from {relay} where name = ? and outbox = ? for update";

    private static final String CHANGED = "update {relay} set changes = changes + 1 where name = ?";

    /** Rows per transaction, during which the relay cannot settle. */
    private static final int STEP = 1_000;

    private static final int MOST_PREVIEWED = 100_000;

    private final TableConnection connection;
    private final RelayName relay;
    private final Selection selection;
    private final TableReader reader;
    private final SideRows sideRows;

    /** A row that waits, or is dead. */
    private record Parked(ThinRow row, @Nullable SideRow side, ParkedState state) {
        boolean wouldBeLate() {
            return state == ParkedState.DEAD && (side == null || !side.holds());
        }

        SideRow atOnce() {
            return SideRow.atOnce(row, side == null ? row.error() : side.error());
        }
    }

    private interface Change {
        /** @return how many it changed */
        int of(List<String> ids, Instant now) throws SQLException;
    }

    /**
     * What was done in one transaction; nothing when there are rows to wait for first.
     *
     * @param held where each key begins of which a row was left out, because somebody has locked it
     */
    private record Step(int changed, int leftOut, Set<String> waitFor, Map<String, Long> held) {
        static Step after(Set<String> waitFor) {
            return new Step(0, 0, waitFor, Map.of());
        }
    }

    TableMending(TableConnection connection, RelayName relay, Selection selection) {
        this.connection = connection;
        this.relay = relay;
        this.selection = selection;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
    }

    RequeuePreview previewRequeue() throws SQLException {
        TableSelection selected = TableSelection.of(connection, selection, MOST_PREVIEWED);
        int found = 0;
        int late = 0;
        for (List<String> step : selected.steps(STEP)) {
            List<Parked> parked = requeueable(without(atWork(step), step));
            found += parked.size();
            late += (int) parked.stream().filter(Parked::wouldBeLate).count();
        }
        return new RequeuePreview(found, late, selected.all());
    }

    DiscardPreview previewDiscard() throws SQLException {
        TableSelection selected = TableSelection.of(connection, selection, MOST_PREVIEWED);
        int found = 0;
        for (List<String> step : selected.steps(STEP)) {
            found += discardable(without(atWork(step), step)).size();
        }
        return new DiscardPreview(found, selected.all());
    }

    int requeue(Actor by) throws SQLException {
        TableAudit audit = new TableAudit(connection, by, "requeue", relay.value());
        return change(audit, previewRequeue().found(), true, (ids, now) -> {
            List<Parked> parked = requeueable(ids);
            RowUpdate.pendingAgain(connection)
                    .to(parked.stream().map(one -> one.row().rowId()).toList());
            sideRows.put(parked.stream().map(Parked::atOnce).toList());
            return parked.size();
        });
    }

    int discard(Actor by) throws SQLException {
        TableAudit audit = new TableAudit(connection, by, "discard", relay.value());
        return change(audit, previewDiscard().found(), false, (ids, now) -> {
            List<ThinRow> rows = discardable(ids);
            for (ThinRow row : rows) {
                String note = ErrorText.discarded(by)
                        + row.error().map(error -> "; before: " + error).orElse("");
                RowUpdate.givenUp(connection, now, note).to(List.of(row.rowId()));
            }
            sideRows.drop(rows.stream().map(ThinRow::rowId).toList());
            return rows.size();
        });
    }

    /**
     * The first step writes into the audit how many rows are meant; the last step writes again when another number was changed.
     *
     * @param inOrder whether one that is left out keeps those behind it in its key from being changed
     */
    private int change(TableAudit audit, int meant, boolean inOrder, Change change) throws SQLException {
        List<List<String>> steps =
                TableSelection.of(connection, selection, Integer.MAX_VALUE).steps(STEP);
        MendingLocks locks = new MendingLocks(connection);
        int changed = 0;
        int leftOut = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step before = new Step(changed, leftOut, Set.of(), Map.of());
            boolean begins = i == 0;
            boolean ends = i == steps.size() - 1;
            List<String> ids = steps.get(i);
            SqlWork<Step> work = () -> {
                Step step = step(ids, locks, inOrder, change);
                int all = before.changed() + step.changed();
                if (step.waitFor().isEmpty() && begins) {
                    audit.write((ends ? all : meant) + " events: " + inWords(step.leftOut()));
                } else if (step.waitFor().isEmpty() && ends && all != meant) {
                    audit.write("in the end " + all + " events: " + inWords(before.leftOut() + step.leftOut()));
                }
                return step;
            };
            Step step = connection.insist(work);
            while (!step.waitFor().isEmpty()) {
                locks.waitFor(step.waitFor());
                step = connection.insist(work);
            }
            changed += step.changed();
            leftOut += step.leftOut();
            locks.leaveOut(step.held());
        }
        return changed;
    }

    private Step step(List<String> ids, MendingLocks locks, boolean inOrder, Change change) throws SQLException {
        Optional<Instant> now = lock();
        Set<String> held = locks.lock(ids);
        if (!held.isEmpty() && locks.mayWait()) {
            return Step.after(held);
        }
        Map<String, Long> heldKeys = inOrder ? locks.keysOf(held) : Map.of();
        Set<String> busy = atWork(ids);
        busy.addAll(locks.behind(ids, held, heldKeys));
        int done = now.isPresent() ? change.of(without(busy, ids), now.get()) : 0;
        changed(done);
        return new Step(done, busy.size(), Set.of(), heldKeys);
    }

    private String inWords(int leftOut) {
        return selection.inWords()
                + (leftOut == 0
                        ? ""
                        : "; without " + leftOut
                                + " that a relay is working on or somebody has locked, or that are behind such a one");
    }

    private Set<String> atWork(List<String> ids) throws SQLException {
        return sideRows.find(AT_WORK, ids);
    }

    private static List<String> without(Set<String> atWork, List<String> ids) {
        return ids.stream().filter(id -> !atWork.contains(id)).toList();
    }

    /** Of these those that wait for their retry, or are dead. */
    private List<Parked> requeueable(List<String> ids) throws SQLException {
        Map<String, TableReader.Standing> standing = reader.standing(ids);
        Map<String, SideRow> sides = sideRows.of(ids);
        List<Parked> parked = new ArrayList<>();
        for (String id : ids) {
            TableReader.@Nullable Standing row = standing.get(id);
            @Nullable SideRow side = sides.get(id);
            if (row == null) {
                continue;
            }
            boolean dead = row.says() == RowState.DEAD;
            boolean pending = row.says() == RowState.PENDING;
            if (dead || (pending && side != null)) {
                boolean deadAside = side != null && side.is(SideState.DEAD);
                ParkedState state = dead || deadAside ? ParkedState.DEAD : ParkedState.DUE;
                if (TableSelection.stillMeant(selection, state)) {
                    parked.add(new Parked(row.row(), side, state));
                }
            }
        }
        return parked;
    }

    private List<ThinRow> discardable(List<String> ids) throws SQLException {
        List<ThinRow> rows = new ArrayList<>();
        requeueable(ids).forEach(parked -> rows.add(parked.row()));
        if (TableSelection.stillMeant(selection, ParkedState.WAITING)) {
            rows.addAll(waiting(ids, rows));
        }
        return rows;
    }

    /** Pending rows of closed keys. */
    private List<ThinRow> waiting(List<String> ids, List<ThinRow> others) throws SQLException {
        Set<String> known = others.stream().map(ThinRow::rowId).collect(Collectors.toSet());
        List<ThinRow> pending = reader.standing(ids).values().stream()
                .filter(row -> row.says() == RowState.PENDING)
                .map(TableReader.Standing::row)
                .filter(row -> !known.contains(row.rowId()))
                .toList();
        Map<String, Long> closed =
                sideRows.closedAmong(pending.stream().map(ThinRow::keyHash).toList());
        return pending.stream().filter(row -> closed.containsKey(row.keyHash())).toList();
    }

    /** @return the database's time, or nothing when there is no such relay */
    private Optional<Instant> lock() throws SQLException {
        return connection.first(LOCK, row -> TableTimes.instant(row.getLong(1)), relay.value(), connection.outbox());
    }

    private void changed(int rows) throws SQLException {
        if (rows > 0) {
            connection.update(CHANGED, relay.value());
        }
    }
}
