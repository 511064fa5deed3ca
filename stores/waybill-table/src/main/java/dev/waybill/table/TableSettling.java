package dev.waybill.table;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Writes what became of rows, inside a transaction that the caller has fenced. What the layout can say is said in the row, the
 * rest in the side table. Rows that went behind, or were released, are left as they are.
 */
final class TableSettling {
    /** When a row that died while it was locked is tried again. */
    private static final Duration LOCKED = Duration.ofSeconds(5);

    private final TableConnection connection;
    private final TableOptions options;
    private final TableLayout layout;
    private final TableReader reader;
    private final SideRows sideRows;
    private final EventGuard guard;

    TableSettling(TableConnection connection, TableOptions options) {
        this.connection = connection;
        this.options = options;
        this.layout = connection.layout();
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.guard = EventGuard.of(connection, options);
    }

    /**
     * @param mayBeAside whether any of them may have been in the side table
     * @return nothing: all were marked
     */
    List<TableRow> settle(Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayBeAside)
            throws SQLException {
        settle(now, rows, settlements, mayBeAside, Set.of());
        return List.of();
    }

    /**
     * The same, without waiting for rows that somebody has locked. Of those that failed the side table speaks alone, and a dead
     * one is tried once more.
     *
     * @return the published rows that are locked, and still to be marked
     */
    List<TableRow> settleFree(Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayBeAside)
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
        settle(now, settled, theirs, mayBeAside, locked);
        return unmarked;
    }

    private void settle(
            Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayBeAside, Set<String> locked)
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
            if (mayBeAside) {
                sideRows.drop(ids);
            }
        }
        if (!failed.isEmpty()) {
            connection.execute(connection.dialectSql().waitForThisOne());
            Set<String> pending = reader.stillPending(failed);
            List<SideRow> known = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                // Of a row that somebody marked meanwhile, its own word counts.
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
        int attempts = row.attempts() + (counted ? 1 : 0);
        return SideRow.of(
                row, SideState.RETRY, false, attempts, Optional.of(error), OptionalLong.of(TableTimes.micros(at)));
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
        OptionalLong next = OptionalLong.of(TableTimes.micros(retry.at()));
        return List.of(SideRow.of(row, SideState.RETRY, false, attempts, Optional.of(retry.error()), next));
    }

    private List<SideRow> dead(Instant now, TableRow row, Settlement.Dead dead) throws SQLException {
        int attempts = row.attempts() + (dead.sent() ? 1 : 0);
        guard.failed(List.of(row.rowId()), now);
        if (!TableText.saysDead(layout) && options.onPermanentError() == TableOptions.OnPermanentError.MARK_PUBLISHED) {
            RowUpdate.givenUp(connection, now, dead.error()).to(List.of(row.rowId()));
            sideRows.drop(List.of(row.rowId()));
            return List.of();
        }
        RowUpdate.dead(connection, attempts, dead.error(), now).to(List.of(row.rowId()));
        return List.of(SideRow.of(
                row, SideState.DEAD, dead.holdsKey(), attempts, Optional.of(dead.error()), OptionalLong.empty()));
    }
}
