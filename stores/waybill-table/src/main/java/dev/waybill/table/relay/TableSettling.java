package dev.waybill.table.relay;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
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
import java.util.List;
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

    TableSettling(TableConnection connection, SessionOptions options) {
        this.connection = connection;
        this.options = options;
        this.layout = connection.layout();
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.guard = EventGuard.of(connection, options);
    }

    /** @param mayHaveSideRows whether any of the rows may have a side row */
    void settle(Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows)
            throws SQLException {
        settle(now, rows, settlements, mayHaveSideRows, Set.of());
    }

    /**
     * The same without waiting for rows that somebody has locked. Locked rows that failed only get a side row; a dead one is
     * tried again.
     *
     * @return the published rows that are locked and still to be marked
     */
    List<TableRow> settleUnlocked(
            Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows)
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
        settle(now, settled, theirs, mayHaveSideRows, locked);
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
            Set<String> pending = reader.stillPending(failed);
            List<SideRow> known = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                // If somebody marked a row meanwhile, that mark is kept.
                if (pending.contains(rows.get(i).rowId())) {
                    boolean free = !locked.contains(rows.get(i).rowId());
                    known.addAll(failed(now, rows.get(i), settlements.get(i), free));
                }
            }
            sideRows.put(known);
        }
    }

    private List<SideRow> failed(Instant now, TableRow row, Settlement settlement, boolean free) throws SQLException {
        if (settlement instanceof Settlement.RetryAt retry) {
            return free ? retry(now, row, retry) : List.of(locked(row, retry.error(), retry.at(), retry.counted()));
        }
        if (settlement instanceof Settlement.Dead dead) {
            return free ? dead(now, row, dead) : List.of(locked(row, dead.error(), now.plus(LOCKED), dead.sent()));
        }
        return List.of();
    }

    private static SideRow locked(TableRow row, String error, Instant at, boolean counted) {
        return SideRow.retry(row, row.attempts() + (counted ? 1 : 0), error, TableTimes.micros(at));
    }

    private List<SideRow> retry(Instant now, TableRow row, Settlement.RetryAt retry) throws SQLException {
        int attempts = row.attempts() + (retry.counted() ? 1 : 0);
        boolean countedOut = retry.counted()
                && layout.state() instanceof TableState.PublishedTime
                && layout.has(TableColumn.ATTEMPTS)
                && attempts >= layout.maxAttempts();
        if (countedOut) {
            return dead(now, row, new Settlement.Dead(retry.error(), true, false));
        }
        RowUpdate.failed(connection, attempts, retry.error(), now, retry.at()).to(List.of(row.rowId()));
        return List.of(SideRow.retry(row, attempts, retry.error(), TableTimes.micros(retry.at())));
    }

    private List<SideRow> dead(Instant now, TableRow row, Settlement.Dead dead) throws SQLException {
        int attempts = row.attempts() + (dead.sent() ? 1 : 0);
        guard.failed(List.of(row.rowId()), now);
        if (!TableText.hasDeadState(layout) && options.marksDeadPublished()) {
            RowUpdate.givenUp(connection, now, dead.error()).to(List.of(row.rowId()));
            sideRows.drop(List.of(row.rowId()));
            return List.of();
        }
        RowUpdate.dead(connection, attempts, dead.error(), now).to(List.of(row.rowId()));
        return List.of(SideRow.dead(row, attempts, dead));
    }
}
