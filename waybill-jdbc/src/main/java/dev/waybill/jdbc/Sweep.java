package dev.waybill.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The net under the reading: once a minute it walks over all pending rows, a step with each claim, and finds those that the
 * reader has passed and could give out. Such are rows whose time of creation lies long before their commit, and rows that a
 * person made pending again with SQL of their own; what the side table said of those is forgotten.
 */
final class Sweep {
    private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int STEP = 1_000;

    private final TableConnection connection;
    private final TableLease lease;
    private final LongSupplier nanoTime;
    private final TableReader reader;
    private final SideRows sideRows;
    private long nextAt;
    private @Nullable TablePosition at;

    Sweep(TableConnection connection, TableLease lease, LongSupplier nanoTime) {
        this.connection = connection;
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.nextAt = nanoTime.getAsLong() + EVERY_NANOS;
    }

    /** @return a place behind which a row was passed that could go */
    Optional<TablePosition> step(TablePosition reached, OutRows out) throws SQLException {
        TablePosition from = at;
        if (from == null) {
            if (nanoTime.getAsLong() - nextAt < 0) {
                return Optional.empty();
            }
            forgetOutdated(SideRow.RETRY);
            forgetOutdated(SideRow.DEAD);
            from = TablePosition.START;
        }
        List<ThinRow> rows = reader.thinPage(from, STEP);
        boolean done =
                rows.size() < STEP || reached.isBefore(rows.get(rows.size() - 1).position());
        at = done ? null : rows.get(rows.size() - 1).position();
        if (done) {
            nextAt = nanoTime.getAsLong() + EVERY_NANOS;
        }
        return firstOpen(rows, reached, out);
    }

    private Optional<TablePosition> firstOpen(List<ThinRow> rows, TablePosition reached, OutRows out)
            throws SQLException {
        List<ThinRow> passed = rows.stream()
                .filter(row -> !out.has(row.rowId()) && !reached.isBefore(row.position()))
                .toList();
        Set<String> aside = sideRows.among(passed.stream().map(ThinRow::rowId).toList());
        Map<String, Long> closed =
                sideRows.closedAmong(passed.stream().map(ThinRow::keyHash).toList());
        return passed.stream()
                .filter(row -> !aside.contains(row.rowId()) && !closed.containsKey(row.keyHash()))
                .findFirst()
                .map(row -> row.position().before());
    }

    /** What rows themselves say counts: one that waits must be pending, a dead one dead if the layout can say so. */
    private void forgetOutdated(String state) throws SQLException {
        String expected = state.equals(SideRow.DEAD) && TableText.saysDead(connection.layout())
                ? TableReader.Standing.DEAD
                : TableReader.Standing.PENDING;
        long from = Long.MIN_VALUE;
        List<SideRow> page;
        do {
            page = sideRows.page(state, from, STEP);
            Map<String, TableReader.Standing> standing =
                    reader.standing(page.stream().map(SideRow::rowId).toList());
            List<String> outdated = new ArrayList<>();
            for (SideRow row : page) {
                TableReader.@Nullable Standing says = standing.get(row.rowId());
                if (says == null || !says.says().equals(expected)) {
                    outdated.add(row.rowId());
                }
                from = row.position() + 1;
            }
            forget(outdated);
        } while (page.size() == STEP);
    }

    private void forget(List<String> rowIds) throws SQLException {
        if (!rowIds.isEmpty()) {
            connection.inTransaction(() -> {
                lease.fence(connection);
                sideRows.drop(rowIds);
                return rowIds;
            });
        }
    }
}
