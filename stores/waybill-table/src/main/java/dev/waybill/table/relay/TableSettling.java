package dev.waybill.table.relay;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.RowUpdate;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableText;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the outcomes of rows in a transaction that the caller has fenced: in the row as far as the layout has columns for it,
 * otherwise in the side table. Rows behind others and released rows are not changed.
 */
final class TableSettling {
    /** Delay of the next attempt for a row that died while it was locked. */
    private static final Duration LOCKED = Duration.ofSeconds(5);

    private final TableConnection connection;
    private final SessionOptions options;
    private final TableLayout layout;
    private final TableReader reader;
    private final SideRows sideRows;
    private final EventGuard guard;
    private final RowByRow rowByRow;

    TableSettling(TableConnection connection, SessionOptions options) {
        this.connection = connection;
        this.options = options;
        this.layout = connection.layout();
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.guard = EventGuard.of(connection, options);
        this.rowByRow = new RowByRow(connection, guard);
    }

    /** @param mayHaveSideRows whether any of the rows may have a side row */
    void settle(Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows)
            throws SQLException {
        settle(now, rows, settlements, mayHaveSideRows, Set.of());
    }

    /** The same for a batch that the database refused because of one row or several, which then get another outcome. */
    void settleEach(Instant now, List<TableRow> rows, List<Settlement> settlements) throws SQLException {
        settleEach(now, rows, settlements, Set.of());
    }

    private void settleEach(Instant now, List<TableRow> rows, List<Settlement> settlements, Set<String> locked)
            throws SQLException {
        connection.execute(connection.relayDialect().commitSynchronously());
        for (int i = 0; i < rows.size(); i++) {
            List<TableRow> row = List.of(rows.get(i));
            List<Settlement> settlement = List.of(settlements.get(i));
            rowByRow.settle(row.get(0), settlement.get(0), now, () -> {
                settle(now, row, settlement, true, locked);
                return row;
            });
        }
    }

    /**
     * The same without waiting for rows that somebody has locked. Locked rows that failed only get a side row; a dead one is
     * tried again.
     *
     * @param each whether to settle row by row, as in {@link #settleEach}
     * @return the published rows that are locked and still to be marked
     */
    List<TableRow> settleUnlocked(
            Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows, boolean each)
            throws SQLException {
        List<String> ids = rows.stream().map(TableRow::rowId).toList();
        Set<String> free = reader.lockFree(ids);
        List<String> others = ids.stream().filter(id -> !free.contains(id)).toList();
        Set<String> locked = reader.stillPending(others);
        List<TableRow> settled = new ArrayList<>();
        List<Settlement> theirs = new ArrayList<>();
        List<TableRow> unmarked = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            TableRow row = rows.get(i);
            if (locked.contains(row.rowId()) && settlements.get(i) instanceof Settlement.Published) {
                unmarked.add(row);
            } else if (free.contains(row.rowId()) || locked.contains(row.rowId())) {
                settled.add(row);
                theirs.add(settlements.get(i));
            }
        }
        if (each) {
            settleEach(now, settled, theirs, locked);
        } else {
            settle(now, settled, theirs, mayHaveSideRows, locked);
        }
        return unmarked;
    }

    private void settle(
            Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows, Set<String> locked)
            throws SQLException {
        List<TableRow> published = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Settlement settlement = settlements.get(i);
            if (settlement instanceof Settlement.Published) {
                published.add(rows.get(i));
            } else if (settlement instanceof Settlement.RetryAt || settlement instanceof Settlement.Dead) {
                failed.add(rows.get(i).rowId());
            }
        }
        if (!published.isEmpty()) {
            List<String> ids = published.stream().map(TableRow::rowId).toList();
            RowUpdate.published(connection, now).toRead(published);
            guard.published(ids, now);
            if (mayHaveSideRows) {
                sideRows.drop(ids);
            }
        }
        if (!failed.isEmpty()) {
            connection.execute(connection.relayDialect().commitSynchronously());
            // If somebody marked a row meanwhile, that mark is kept.
            Set<String> pending = reader.stillPending(failed);
            Failures failures = new Failures(now);
            for (int i = 0; i < rows.size(); i++) {
                TableRow row = rows.get(i);
                if (pending.contains(row.rowId())) {
                    failures.add(row, settlements.get(i), locked.contains(row.rowId()));
                }
            }
            failures.write();
        }
    }

    /** Failed rows of one batch. Those with the same outcome are updated by one statement. */
    private final class Failures {
        private final Instant now;
        private final boolean marksDeadPublished = !TableText.hasDeadState(layout) && options.marksDeadPublished();
        private final Map<Retried, List<String>> retried = new LinkedHashMap<>();
        private final Map<Died, List<String>> died = new LinkedHashMap<>();
        private final List<SideRow> sides = new ArrayList<>();

        private record Retried(int attempts, String error, Instant at) {}

        private record Died(int attempts, String error) {}

        Failures(Instant now) {
            this.now = now;
        }

        void add(TableRow row, Settlement settlement, boolean locked) {
            if (settlement instanceof Settlement.RetryAt retry) {
                int attempts = row.attempts() + (retry.counted() ? 1 : 0);
                retried(row, attempts, retry.error(), retry.at(), locked);
            } else if (settlement instanceof Settlement.Dead dead) {
                int attempts = row.attempts() + (dead.sent() ? 1 : 0);
                if (locked) {
                    retried(row, attempts, dead.error(), now.plus(LOCKED), true);
                } else {
                    died(row, attempts, dead);
                }
            }
        }

        private void retried(TableRow row, int attempts, String error, Instant at, boolean locked) {
            sides.add(SideRow.retry(row, attempts, error, TableTimes.micros(at)));
            if (!locked) {
                Instant written = layout.has(TableColumn.NEXT_ATTEMPT_AT) ? at : now;
                retried.computeIfAbsent(new Retried(attempts, error, written), first -> new ArrayList<>())
                        .add(row.rowId());
            }
        }

        private void died(TableRow row, int attempts, Settlement.Dead dead) {
            died.computeIfAbsent(new Died(attempts, dead.error()), first -> new ArrayList<>())
                    .add(row.rowId());
            if (!marksDeadPublished) {
                sides.add(SideRow.dead(row, attempts, dead));
            }
        }

        void write() throws SQLException {
            for (Map.Entry<Retried, List<String>> each : retried.entrySet()) {
                Retried outcome = each.getKey();
                RowUpdate.failed(connection, outcome.attempts(), outcome.error(), now, outcome.at())
                        .to(each.getValue());
            }
            for (Map.Entry<Died, List<String>> each : died.entrySet()) {
                writeDead(each.getKey(), each.getValue());
            }
            sideRows.put(sides);
        }

        private void writeDead(Died outcome, List<String> ids) throws SQLException {
            guard.failed(ids, now);
            if (marksDeadPublished) {
                RowUpdate.givenUp(connection, now, outcome.error()).to(ids);
                sideRows.drop(ids);
            } else {
                RowUpdate.dead(connection, outcome.attempts(), outcome.error(), now)
                        .to(ids);
            }
        }
    }
}
