package dev.waybill.table;

import dev.waybill.jdbc.kernel.ErrorText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** A row of the side table. */
record SideRow(
        String rowId,
        String keyHash,
        long position,
        SideState state,
        boolean holds,
        int attempts,
        Optional<String> error,
        OptionalLong nextAttemptAt) {
    /** What is known of a row from now on; of its error as much as the side table takes. */
    static SideRow of(
            TableRow row, SideState state, boolean holds, int attempts, Optional<String> error, OptionalLong next) {
        return of(row.rowId(), row.keyHash(), row.position(), state, holds, attempts, error, next);
    }

    /** A row that is due at once. */
    static SideRow atOnce(ThinRow row, Optional<String> error) {
        return of(row.rowId(), row.keyHash(), row.position(), SideState.RETRY, false, 0, error, OptionalLong.of(0));
    }

    private static SideRow of(
            String rowId,
            String keyHash,
            TablePosition position,
            SideState state,
            boolean holds,
            int attempts,
            Optional<String> error,
            OptionalLong next) {
        Optional<String> cut = error.map(text -> ErrorText.cut(text, ErrorText.SIDE_LENGTH));
        return new SideRow(rowId, keyHash, position.value(), state, holds, attempts, cut, next);
    }

    /** The same row, due at once. */
    SideRow atOnce() {
        return new SideRow(rowId, keyHash, position, SideState.RETRY, holds, attempts, error, OptionalLong.of(0));
    }

    boolean is(SideState other) {
        return state == other;
    }

    static SideRow read(ResultSet row) throws SQLException {
        long next = row.getLong(8);
        OptionalLong nextAttemptAt = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(next);
        return new SideRow(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                SideState.of(row.getString(4)),
                row.getBoolean(5),
                row.getInt(6),
                Optional.ofNullable(row.getString(7)),
                nextAttemptAt);
    }
}
