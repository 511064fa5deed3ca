package dev.waybill.table.admin;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.table.rows.RowState;
import dev.waybill.table.rows.RowUpdate;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableAudit;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableTimes;
import dev.waybill.table.rows.ThinRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Requeues or discards rows for an operator, except rows that a competing relay is working on, which it will settle itself, and
 * rows that stay locked by somebody else: see {@link OperatorLocks}.
 */
final class RequeueAndDiscard {
    /** Rows with a lease that has not expired. */
    private static final String LEASED =
            "select row_id from {claim} where concat(outbox, '') = ? and lease_until >= {clock} and row_id {among}";

    /** Locks the relay's row, as a settlement does. */
    private static final String LOCK = "select {clock} from {relay} where name = ? and outbox = ? for update";

    private static final String CHANGED = "update {relay} set changes = changes + 1 where name = ?";

    /** Rows per transaction, during which the relay cannot settle. */
    private static final int STEP = 1_000;

    private static final int MAX_PREVIEWED = 100_000;

    private final TableConnection connection;
    private final RelayName relay;
    private final Selection selection;
    private final TableReader reader;
    private final SideRows sideRows;

    /** A row that waits for a retry or is dead. */
    private record Parked(ThinRow row, @Nullable SideRow side, ParkedState state) {
        boolean wouldBeLate() {
            return state == ParkedState.DEAD && (side == null || !side.holds());
        }

        SideRow atOnce() {
            return SideRow.atOnce(row, side == null ? row.error() : side.error());
        }
    }

    private interface Change {
        /** @return ids of the rows that it changed */
        List<String> of(List<String> ids, Instant now) throws SQLException;
    }

    /**
     * The result of one transaction. It has changed nothing if there are rows to wait for.
     *
     * @param held by key, the position of the first row that was left out because somebody has locked it
     */
    private record Step(StepAudit.Done done, Set<String> waitFor, Map<String, Long> held) {
        static Step after(Set<String> waitFor) {
            return new Step(new StepAudit.Done(List.of(), 0), waitFor, Map.of());
        }
    }

    RequeueAndDiscard(TableConnection connection, RelayName relay, Selection selection) {
        this.connection = connection;
        this.relay = relay;
        this.selection = selection;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
    }

    RequeuePreview previewRequeue() throws SQLException {
        TableSelection selected = TableSelection.of(connection, selection, MAX_PREVIEWED);
        int found = 0;
        int late = 0;
        for (List<String> step : selected.steps(STEP)) {
            List<Parked> parked = requeueable(without(leased(step), step));
            found += parked.size();
            late += (int) parked.stream().filter(Parked::wouldBeLate).count();
        }
        return new RequeuePreview(found, late, selected.all());
    }

    DiscardPreview previewDiscard() throws SQLException {
        TableSelection selected = TableSelection.of(connection, selection, MAX_PREVIEWED);
        int found = 0;
        for (List<String> step : selected.steps(STEP)) {
            found += discardable(without(leased(step), step)).size();
        }
        return new DiscardPreview(found, selected.all());
    }

    int requeue(Actor by) throws SQLException {
        TableAudit audit = new TableAudit(connection, by, "requeue", relay.value());
        return change(audit, previewRequeue().found(), true, (ids, now) -> {
            List<Parked> parked = requeueable(ids);
            List<String> requeued =
                    parked.stream().map(one -> one.row().rowId()).toList();
            RowUpdate.pendingAgain(connection).to(requeued);
            sideRows.put(parked.stream().map(Parked::atOnce).toList());
            return requeued;
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
            List<String> discarded = rows.stream().map(ThinRow::rowId).toList();
            sideRows.drop(discarded);
            return discarded;
        });
    }

    /**
     * @param inOrder whether later rows of a key are left out if an earlier one is; otherwise the last step is done first, since
     *     a relay may send rows as soon as nothing of their key is before them
     */
    private int change(TableAudit audit, int expected, boolean inOrder, Change change) throws SQLException {
        TableSelection selected = TableSelection.of(connection, selection, Integer.MAX_VALUE);
        StepAudit steps = new StepAudit(audit, selection, selected.ids(), expected);
        OperatorLocks locks = new OperatorLocks(connection);
        int changed = 0;
        int leftOut = 0;
        for (StepAudit.Place place : places(selected.steps(STEP), inOrder)) {
            int changedBefore = changed;
            int leftOutBefore = leftOut;
            SqlWork<Step> work = () -> {
                Step step = step(place.ids(), locks, inOrder, change);
                if (step.waitFor().isEmpty()) {
                    StepAudit.Done done = step.done();
                    steps.write(place, done, changedBefore + done.changed().size(), leftOutBefore + done.leftOut());
                }
                return step;
            };
            Step step = connection.retryOnConflict(work);
            while (!step.waitFor().isEmpty()) {
                locks.waitFor(step.waitFor());
                step = connection.retryOnConflict(work);
            }
            changed += step.done().changed().size();
            leftOut += step.done().leftOut();
            locks.leaveOut(step.held());
        }
        return changed;
    }

    private static List<StepAudit.Place> places(List<List<String>> steps, boolean inOrder) {
        if (!inOrder) {
            Collections.reverse(steps);
        }
        return IntStream.range(0, steps.size())
                .mapToObj(i -> new StepAudit.Place(steps.get(i), i == 0, i == steps.size() - 1))
                .toList();
    }

    private Step step(List<String> ids, OperatorLocks locks, boolean inOrder, Change change) throws SQLException {
        Optional<Instant> now = lock();
        Set<String> held = locks.lock(ids);
        if (!held.isEmpty() && locks.mayWait()) {
            return Step.after(held);
        }
        Map<String, Long> heldKeys = inOrder ? locks.keysOf(held) : Map.of();
        Set<String> busy = leased(ids);
        busy.addAll(locks.behind(ids, held, heldKeys));
        List<String> done = now.isPresent() ? change.of(without(busy, ids), now.get()) : List.of();
        changed(done.size());
        return new Step(new StepAudit.Done(done, busy.size()), Set.of(), heldKeys);
    }

    private Set<String> leased(List<String> ids) throws SQLException {
        return sideRows.find(LEASED, ids);
    }

    private static List<String> without(Set<String> leased, List<String> ids) {
        return ids.stream().filter(id -> !leased.contains(id)).toList();
    }

    /** Those of these rows that wait for a retry or are dead. */
    private List<Parked> requeueable(List<String> ids) throws SQLException {
        Map<String, TableReader.RowWithState> stored = reader.withState(ids);
        Map<String, SideRow> sides = sideRows.of(ids);
        Set<String> held = sideRows.heldRetries(sides.values());
        List<Parked> parked = new ArrayList<>();
        for (String id : ids) {
            TableReader.@Nullable RowWithState row = stored.get(id);
            @Nullable SideRow side = sides.get(id);
            if (row == null) {
                continue;
            }
            boolean dead = row.state() == RowState.DEAD;
            boolean pending = row.state() == RowState.PENDING && !held.contains(id);
            if (dead || (pending && side != null && !side.is(SideState.BEHIND))) {
                boolean deadAside = side != null && side.is(SideState.DEAD);
                ParkedState state = dead || deadAside ? ParkedState.DEAD : ParkedState.DUE;
                if (TableSelection.stillSelected(selection, state)) {
                    parked.add(new Parked(row.row(), side, state));
                }
            }
        }
        return parked;
    }

    private List<ThinRow> discardable(List<String> ids) throws SQLException {
        List<ThinRow> rows = new ArrayList<>();
        requeueable(ids).forEach(parked -> rows.add(parked.row()));
        if (TableSelection.stillSelected(selection, ParkedState.WAITING)) {
            rows.addAll(waiting(ids, rows));
        }
        return rows;
    }

    /** Pending rows of closed keys. In a replay all rows are pending, also those that it has sent or has yet to read. */
    private List<ThinRow> waiting(List<String> ids, List<ThinRow> others) throws SQLException {
        Set<String> known = others.stream().map(ThinRow::rowId).collect(Collectors.toSet());
        List<ThinRow> pending = reader.withState(ids).values().stream()
                .filter(row -> row.state() == RowState.PENDING)
                .map(TableReader.RowWithState::row)
                .filter(row -> !known.contains(row.rowId()))
                .toList();
        if (connection.isReplay()) {
            Map<String, SideRow> sides = sideRows.of(ids);
            Set<String> held = sideRows.heldRetries(sides.values());
            return pending.stream()
                    .filter(row -> held.contains(row.rowId())
                            || (sides.containsKey(row.rowId())
                                    && sides.get(row.rowId()).is(SideState.BEHIND)))
                    .toList();
        }
        Map<String, Long> closed =
                sideRows.closedAmong(pending.stream().map(ThinRow::keyHash).toList());
        return pending.stream().filter(row -> closed.containsKey(row.keyHash())).toList();
    }

    /** @return the database's time, or empty if there is no such relay */
    private Optional<Instant> lock() throws SQLException {
        return connection.first(LOCK, row -> TableTimes.instant(row.getLong(1)), relay.value(), connection.outbox());
    }

    private void changed(int rows) throws SQLException {
        if (rows > 0) {
            connection.update(CHANGED, relay.value());
        }
    }
}
