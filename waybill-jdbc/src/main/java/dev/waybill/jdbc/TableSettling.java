package dev.waybill.jdbc;

import dev.waybill.spi.Settlement;
import java.sql.SQLException;
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

    /** @param mayBeAside whether any of them may have been in the side table */
    void settle(Instant now, List<TableRow> rows, List<Settlement> settlements, boolean mayBeAside)
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
            settleFailed(now, rows, settlements, reader.stillPending(failed));
        }
    }

    /** Of a row that somebody marked meanwhile, its own word counts. */
    private void settleFailed(Instant now, List<TableRow> rows, List<Settlement> settlements, Set<String> pending)
            throws SQLException {
        List<SideRow> known = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            TableRow row = rows.get(i);
            if (!pending.contains(row.rowId())) {
                continue;
            }
            if (settlements.get(i) instanceof Settlement.RetryAt retry) {
                known.addAll(retry(now, row, retry));
            } else if (settlements.get(i) instanceof Settlement.Dead dead) {
                known.addAll(dead(now, row, dead));
            }
        }
        sideRows.put(known);
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
        return List.of(side(row, SideRow.RETRY, false, attempts, retry.error(), next));
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
        return List.of(side(row, SideRow.DEAD, dead.holdsKey(), attempts, dead.error(), OptionalLong.empty()));
    }

    private static SideRow side(
            TableRow row, String state, boolean holds, int attempts, String error, OptionalLong next) {
        return new SideRow(
                row.rowId(),
                row.keyHash(),
                row.position().value(),
                state,
                holds,
                attempts,
                Optional.of(ErrorText.cut(error, ErrorText.SIDE_LENGTH)),
                next);
    }
}
