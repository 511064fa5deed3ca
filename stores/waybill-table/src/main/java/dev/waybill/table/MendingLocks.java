package dev.waybill.table;

import dev.waybill.jdbc.kernel.SqlFailure;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The locks on rows that a person changes. Whoever changes rows holds the relay's row, which every settling needs, so nothing
 * is waited for while it is held: rows that somebody else has locked are told, and waited for in statements that hold nothing.
 * Where a row is left out then, so is what follows it in its key: it would overtake.
 */
final class MendingLocks {
    private static final String LOCK_SIDE =
            "select row_id from {claim} where concat(outbox, '') = ? and row_id {among} for update";

    private static final String LOCK_FREE_SIDE = LOCK_SIDE + " skip locked";

    /** In one command, each time for a second at most. */
    private static final int MOST_WAITS = 3;

    private final TableConnection connection;
    private final TableReader reader;
    private final SideRows sideRows;
    private final Map<String, Long> leftOut = new HashMap<>();
    private int waits;

    MendingLocks(TableConnection connection) {
        this.connection = connection;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
    }

    /**
     * Rows first, then side rows, as relays do when they claim and settle: neither begins nor ends meanwhile.
     *
     * @return those of them that somebody else has locked
     */
    Set<String> lock(List<String> ids) throws SQLException {
        Set<String> free = new HashSet<>(
                connection.amongFew(connection.ids(ids)).query(TableReader.LOCK_FREE, row -> row.getString(1)));
        Set<String> held = new HashSet<>(reader.standing(ids).keySet());
        held.removeAll(free);
        Set<String> freeAside = sideRows.find(LOCK_FREE_SIDE, free);
        Set<String> heldAside = sideRows.among(free);
        heldAside.removeAll(freeAside);
        held.addAll(heldAside);
        return held;
    }

    /** The keys of these rows, as far as they are still to be published, each with the place of its first. */
    Map<String, Long> keysOf(Set<String> held) throws SQLException {
        Map<String, Long> keys = new HashMap<>();
        for (TableReader.Standing standing : reader.standing(List.copyOf(held)).values()) {
            if (standing.says() != RowState.DONE) {
                keys.merge(standing.row().keyHash(), standing.row().position().value(), Math::min);
            }
        }
        return keys;
    }

    /** From now on what is behind these places in their keys is left out. */
    void leaveOut(Map<String, Long> keys) {
        keys.forEach((key, place) -> leftOut.merge(key, place, Math::min));
    }

    /** The rows that are held, and of the others those behind one of these keys, or of keys that were left out before. */
    Set<String> behind(List<String> ids, Set<String> held, Map<String, Long> keys) throws SQLException {
        Map<String, Long> all = new HashMap<>(leftOut);
        keys.forEach((key, place) -> all.merge(key, place, Math::min));
        Set<String> behind = new HashSet<>(held);
        if (!all.isEmpty()) {
            for (TableReader.Standing standing : reader.standing(ids).values()) {
                ThinRow row = standing.row();
                if (row.position().value() >= all.getOrDefault(row.keyHash(), Long.MAX_VALUE)) {
                    behind.add(row.rowId());
                }
            }
        }
        return behind;
    }

    boolean mayWait() {
        return waits < MOST_WAITS;
    }

    /** Outside of a transaction: until one of these rows is free, but not long. */
    void waitFor(Set<String> held) throws SQLException {
        waits++;
        connection.execute(connection.dialectSql().waitBriefly());
        List<String> one = held.stream().limit(1).toList();
        try {
            connection.amongFew(connection.ids(one)).query(RowLeases.LOCK_ROWS, row -> row.getString(1));
            sideRows.find(LOCK_SIDE, one);
        } catch (SQLException e) {
            if (SqlFailure.of(e) != SqlFailure.CONFLICT) {
                throw e;
            }
        }
    }
}
