package dev.waybill.table;

import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a replay of an outbox table. The rows themselves say nothing about the replay, so that what is behind one that
 * waits is written down too. Of each key the first is to be retried, the others follow it one by one.
 */
final class TableReplayParking {
    /** Keys whose first one is not to be retried; somebody took that away. */
    private static final String WITHOUT_HEAD = """
            select distinct key_hash from {claim} c where outbox = ? and state = 'behind'
               and not exists (select 1 from {claim} h
                                where h.outbox = c.outbox and h.key_hash = c.key_hash and (h.state = 'retry' or h.holds){row_by_row})""";

    private final TableConnection connection;
    private final SideRows sideRows;

    TableReplayParking(TableConnection connection) {
        this.connection = connection;
        this.sideRows = new SideRows(connection);
    }

    Set<String> closedAmong(List<TableRow> rows) throws SQLException {
        return sideRows.closedAmong(rows.stream().map(TableRow::keyHash).toList())
                .keySet();
    }

    /** Inside a fenced transaction. */
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

    /** Lets the first of each key go, if it is behind nothing any more. */
    void reopen(Collection<String> keys) throws SQLException {
        Set<String> seen = new HashSet<>();
        List<SideRow> heads = new ArrayList<>();
        for (SideRow row : sideRows.ofKeys(keys)) {
            if (seen.add(row.keyHash()) && row.is(SideState.BEHIND)) {
                heads.add(row.atOnce());
            }
        }
        sideRows.put(heads);
    }

    /** Keys whose head a person discarded, or deleted. */
    List<String> withoutHead() throws SQLException {
        return connection.query(WITHOUT_HEAD, row -> row.getString(1), connection.outbox());
    }

    /** @return nothing when it need not be remembered */
    private static @Nullable SideRow side(TableRow row, Settlement settlement) {
        if (settlement instanceof Settlement.RetryAt retry) {
            OptionalLong next = OptionalLong.of(Math.max(1, TableTimes.micros(retry.at())));
            int attempts = row.attempts() + (retry.counted() ? 1 : 0);
            return SideRow.of(row, SideState.RETRY, false, attempts, Optional.of(retry.error()), next);
        }
        if (settlement instanceof Settlement.Dead dead) {
            int attempts = row.attempts() + (dead.sent() ? 1 : 0);
            return SideRow.of(
                    row, SideState.DEAD, dead.holdsKey(), attempts, Optional.of(dead.error()), OptionalLong.empty());
        }
        return settlement instanceof Settlement.Behind
                ? SideRow.of(row, SideState.BEHIND, false, row.attempts(), Optional.empty(), OptionalLong.empty())
                : null;
    }
}
