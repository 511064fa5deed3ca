package dev.waybill.table.admin;

import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.table.rows.RowState;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.ThinRow;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Locks rows that an operator changes. The change holds the relay's row, which every settlement needs, so it must not wait for
 * other locks. Rows that somebody else has locked are waited for in separate statements that hold no lock. If a row is left out
 * in the end, later rows of its key are left out as well, since they would overtake it.
 */
final class OperatorLocks {
    private static final String LOCK_SIDE =
            "select row_id from {claim} where concat(outbox, '') = ? and row_id {among} for update";

    private static final String LOCK_FREE_SIDE = LOCK_SIDE + " skip locked";

    /** Waits per command, each of a second at most. */
    private static final int MAX_WAITS = 3;

    private final TableConnection connection;
    private final TableReader reader;
    private final SideRows sideRows;
    private final Map<String, Long> leftOut = new HashMap<>();
    private int waits;

    OperatorLocks(TableConnection connection) {
        this.connection = connection;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
    }

    /**
     * Locks rows before side rows, as relays do in claims and settlements, so none of these runs meanwhile.
     *
     * @return the rows that somebody else has locked
     */
    Set<String> lock(List<String> ids) throws SQLException {
        Set<String> free = new HashSet<>(
                connection.amongFew(connection.ids(ids)).query(TableReader.LOCK_FREE, row -> row.getString(1)));
        Set<String> held = new HashSet<>(reader.withState(ids).keySet());
        held.removeAll(free);
        Set<String> freeAside = sideRows.find(LOCK_FREE_SIDE, free);
        Set<String> heldAside = sideRows.among(free);
        heldAside.removeAll(freeAside);
        held.addAll(heldAside);
        return held;
    }

    /** The keys of those of these rows that are still to be published, each with the position of its first row. */
    Map<String, Long> keysOf(Set<String> held) throws SQLException {
        Map<String, Long> keys = new HashMap<>();
        for (TableReader.RowWithState found :
                reader.withState(List.copyOf(held)).values()) {
            if (found.state() != RowState.DONE) {
                keys.merge(found.row().keyHash(), found.row().position().value(), Math::min);
            }
        }
        return keys;
    }

    /** From now on rows after these positions in their keys are left out. */
    void leaveOut(Map<String, Long> keys) {
        keys.forEach((key, place) -> leftOut.merge(key, place, Math::min));
    }

    /** The locked rows, and those of the others that follow a row of these keys or of keys left out before. */
    Set<String> behind(List<String> ids, Set<String> held, Map<String, Long> keys) throws SQLException {
        Map<String, Long> all = new HashMap<>(leftOut);
        keys.forEach((key, place) -> all.merge(key, place, Math::min));
        Set<String> behind = new HashSet<>(held);
        if (!all.isEmpty()) {
            for (TableReader.RowWithState found : reader.withState(ids).values()) {
                ThinRow row = found.row();
                if (row.position().value() >= all.getOrDefault(row.keyHash(), Long.MAX_VALUE)) {
                    behind.add(row.rowId());
                }
            }
        }
        return behind;
    }

    boolean mayWait() {
        return waits < MAX_WAITS;
    }

    /** Waits for one of these rows, but not long. Not called in a transaction. */
    void waitFor(Set<String> held) throws SQLException {
        waits++;
        connection.execute(connection.relayDialect().limitLockWait());
        List<String> one = held.stream().limit(1).toList();
        try {
            connection.amongFew(connection.ids(one)).query(TableReader.LOCK, row -> row.getString(1));
            sideRows.find(LOCK_SIDE, one);
        } catch (SQLException e) {
            if (SqlFailure.of(e) != SqlFailure.CONFLICT) {
                throw e;
            }
        }
    }
}
