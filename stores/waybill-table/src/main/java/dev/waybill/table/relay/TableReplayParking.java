package dev.waybill.table.relay;

import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Waiting rows of a replay. The outbox table holds no state of replays, so rows behind a waiting one get side rows, too. The
 * first row of each key is retried; the others follow it one by one.
 */
final class TableReplayParking {
    /** Keys whose first row is not waiting for a retry, because somebody removed that one. Any number of rows may follow it. */
    private static final String WITHOUT_HEAD = """
            select b.key_hash from (select distinct key_hash from {claim} where outbox = ? and state = 'behind') b
             where not exists (select 1 from {claim} h
                                where concat(h.outbox, '') = ? and h.key_hash = b.key_hash and h.holds = false
                                  and h.state = 'retry'{row_by_row})
               and not exists (select 1 from {claim} h
                                where concat(h.outbox, '') = ? and h.key_hash = b.key_hash and h.holds = true
                                  and h.state = 'dead'{row_by_row})
             limit ?""";

    /** Keys; the transaction keeps others from the relay's row. */
    private static final int OPENED_AT_ONCE = 1_000;

    private final TableConnection connection;
    private final SideRows sideRows;

    TableReplayParking(TableConnection connection) {
        this.connection = connection;
        this.sideRows = new SideRows(connection);
    }

    /** Also a key whose first row somebody removed: those behind it come before later ones. */
    Set<String> closedAmong(List<TableRow> rows) throws SQLException {
        Set<String> keys = rows.stream().map(TableRow::keyHash).collect(Collectors.toCollection(HashSet::new));
        Set<String> closed = new HashSet<>(sideRows.closedAmong(keys).keySet());
        keys.removeAll(closed);
        closed.addAll(sideRows.behindAmong(keys));
        return closed;
    }

    /** The ids of those of these rows that wait. */
    Set<String> waitingAmong(List<TableRow> rows) throws SQLException {
        return sideRows.among(rows.stream().map(TableRow::rowId).toList());
    }

    /** Called in a fenced transaction. */
    void settle(List<TableRow> rows, List<Settlement> settlements) throws SQLException {
        List<SideRow> parked = new ArrayList<>();
        List<String> done = new ArrayList<>();
        Set<String> keys = new LinkedHashSet<>();
        for (int i = 0; i < rows.size(); i++) {
            @Nullable SideRow side = side(rows.get(i), settlements.get(i));
            if (side == null) {
                done.add(rows.get(i).rowId());
            } else {
                parked.add(side);
            }
            keys.add(rows.get(i).keyHash());
        }
        sideRows.drop(done);
        sideRows.put(parked);
        reopen(keys);
    }

    /** Makes the first row of each key due, if it no longer follows another one. */
    void reopen(Collection<String> keys) throws SQLException {
        sideRows.put(sideRows.firstIfBehind(keys).stream().map(SideRow::atOnce).toList());
    }

    /** Keys whose first row an operator discarded or deleted; no more than one transaction is to open. */
    List<String> withoutHead() throws SQLException {
        String outbox = connection.outbox();
        return connection.query(WITHOUT_HEAD, row -> row.getString(1), outbox, outbox, outbox, OPENED_AT_ONCE);
    }

    /** @return null if the row needs no side row */
    private static @Nullable SideRow side(TableRow row, Settlement settlement) {
        if (settlement instanceof Settlement.RetryAt retry) {
            int attempts = row.attempts() + (retry.counted() ? 1 : 0);
            return SideRow.retry(row, attempts, retry.error(), Math.max(1, TableTimes.micros(retry.at())));
        }
        if (settlement instanceof Settlement.Dead dead) {
            return SideRow.dead(row, row.attempts() + (dead.sent() ? 1 : 0), dead);
        }
        return settlement instanceof Settlement.Behind ? SideRow.behind(row) : null;
    }
}
