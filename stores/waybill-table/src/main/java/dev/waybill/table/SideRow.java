package dev.waybill.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** A row of the side table. */
record SideRow(
        String rowId,
        String keyHash,
        long position,
        String state,
        boolean holds,
        int attempts,
        Optional<String> error,
        OptionalLong nextAttemptAt) {
    static final String RETRY = "retry";
    static final String DEAD = "dead";
    /** Behind one that waits; only in replays, where rows themselves cannot say that they are still to be sent. */
    static final String BEHIND = "behind";

    static SideRow read(ResultSet row) throws SQLException {
        long next = row.getLong(8);
        OptionalLong nextAttemptAt = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(next);
        return new SideRow(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                row.getBoolean(5),
                row.getInt(6),
                Optional.ofNullable(row.getString(7)),
                nextAttemptAt);
    }
}
