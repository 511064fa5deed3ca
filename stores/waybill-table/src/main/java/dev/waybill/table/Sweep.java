package dev.waybill.table;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The net under the reading: once a minute it walks over what is in the side table and over all pending rows, a step with each
 * claim, and finds those that the reader has passed and could give out. Such are rows whose time of creation lies long before
 * their commit, and rows that a person made pending again with SQL of their own; what the side table said of those is forgotten.
 * Of dead rows that hold no key it looks at one page a minute: they may be many, and nothing waits for them.
 */
final class Sweep {
    private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int STEP = 1_000;

    private final TableConnection connection;
    private final TableLease lease;
    private final LongSupplier nanoTime;
    private final TableReader reader;
    private final SideRows sideRows;
    private final boolean saysDead;
    private long nextAt;
    private Part part = Part.NONE;
    private SideRows.Place aside = SideRows.Place.START;
    private SideRows.Place dead = SideRows.Place.START;
    private TablePosition pending = TablePosition.START;

    private enum Part {
        NONE,
        RETRIES,
        HOLDING,
        DEAD,
        PENDING
    }

    Sweep(TableConnection connection, TableLease lease, LongSupplier nanoTime) {
        this.connection = connection;
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.saysDead = TableText.saysDead(connection.layout());
        this.nextAt = nanoTime.getAsLong() + EVERY_NANOS;
    }

    /** @return a place behind which a row was passed that could go */
    Optional<TablePosition> step(TablePosition reached, OutRows out) throws SQLException {
        if (part == Part.NONE && nanoTime.getAsLong() - nextAt >= 0) {
            begin(Part.RETRIES);
        }
        if (part == Part.RETRIES && !walkAside(sideRows.page(SideState.RETRY, aside, STEP))) {
            begin(Part.HOLDING);
        }
        if (part == Part.HOLDING && !walkAside(sideRows.holding(aside, STEP))) {
            begin(Part.DEAD);
        }
        if (part == Part.DEAD) {
            List<SideRow> page = sideRows.page(SideState.DEAD, dead, STEP);
            dead = page.size() < STEP ? SideRows.Place.START : SideRows.Place.of(page.get(STEP - 1));
            forgetOutdated(page);
            begin(Part.PENDING);
        }
        return part == Part.PENDING ? walkPending(reached, out) : Optional.empty();
    }

    private void begin(Part next) {
        part = next;
        aside = SideRows.Place.START;
        pending = TablePosition.START;
    }

    /** @return whether there is more */
    private boolean walkAside(List<SideRow> page) throws SQLException {
        forgetOutdated(page);
        if (page.size() == STEP) {
            aside = SideRows.Place.of(page.get(STEP - 1));
        }
        return page.size() == STEP;
    }

    private Optional<TablePosition> walkPending(TablePosition reached, OutRows out) throws SQLException {
        List<ThinRow> rows = reader.thinPage(pending, STEP);
        if (rows.size() < STEP || reached.isBefore(rows.get(STEP - 1).position())) {
            begin(Part.NONE);
            nextAt = nanoTime.getAsLong() + EVERY_NANOS;
        } else {
            pending = rows.get(STEP - 1).position();
        }
        return firstOpen(rows, reached, out);
    }

    private Optional<TablePosition> firstOpen(List<ThinRow> rows, TablePosition reached, OutRows out)
            throws SQLException {
        List<ThinRow> passed = rows.stream()
                .filter(row -> !out.has(row.rowId()) && !reached.isBefore(row.position()))
                .toList();
        Map<String, SideRow> known =
                sideRows.of(passed.stream().map(ThinRow::rowId).toList());
        List<String> pendingAgain = known.values().stream()
                .filter(row -> saysDead && row.is(SideState.DEAD))
                .map(SideRow::rowId)
                .toList();
        forget(pendingAgain);
        pendingAgain.forEach(known::remove);
        Map<String, Long> closed =
                sideRows.closedAmong(passed.stream().map(ThinRow::keyHash).toList());
        return passed.stream()
                .filter(row -> !known.containsKey(row.rowId()) && !closed.containsKey(row.keyHash()))
                .findFirst()
                .map(row -> row.position().before());
    }

    /** What rows themselves say counts: one that waits must be pending, a dead one dead if the layout can say so. */
    private void forgetOutdated(List<SideRow> page) throws SQLException {
        Map<String, TableReader.Standing> standing =
                reader.standing(page.stream().map(SideRow::rowId).toList());
        List<String> outdated = new ArrayList<>();
        for (SideRow row : page) {
            RowState expected = saysDead && row.is(SideState.DEAD) ? RowState.DEAD : RowState.PENDING;
            TableReader.@Nullable Standing says = standing.get(row.rowId());
            if (says == null || says.says() != expected) {
                outdated.add(row.rowId());
            }
        }
        forget(outdated);
    }

    private void forget(List<String> rowIds) throws SQLException {
        if (!rowIds.isEmpty()) {
            connection.insist(() -> {
                lease.fence(connection);
                sideRows.drop(rowIds);
                return rowIds;
            });
        }
    }
}
