package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.spi.Settlement;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/** A row of the side table. */
public record SideRow(
        String rowId,
        String keyHash,
        long position,
        SideState state,
        boolean holds,
        int attempts,
        Optional<String> error,
        OptionalLong nextAttemptAt) {
    /** Instead of the time of the next attempt. */
    static final long REFUSED = 0;

    /** Most characters of an id in the side table. */
    public static final int LONGEST_ID = 255;

    /** @param nextAttemptAt in microseconds since 1970 */
    public static SideRow retry(TableRow row, int attempts, String error, long nextAttemptAt) {
        return of(row, SideState.RETRY, false, attempts, Optional.of(error), OptionalLong.of(nextAttemptAt));
    }

    public static SideRow dead(TableRow row, int attempts, Settlement.Dead dead) {
        return of(row, SideState.DEAD, dead.holdsKey(), attempts, Optional.of(dead.error()), OptionalLong.empty());
    }

    /**
     * A dead row that its table still has as pending, since the database refuses to change it. Other dead rows have no time of a
     * next attempt.
     */
    public static SideRow refused(TableRow row, int attempts, Settlement.Dead dead) {
        return of(row, SideState.DEAD, dead.holdsKey(), attempts, Optional.of(dead.error()), OptionalLong.of(REFUSED));
    }

    public boolean isRefused() {
        return is(SideState.DEAD) && nextAttemptAt.isPresent();
    }

    /** A row that follows a waiting one of its key. */
    public static SideRow behind(TableRow row) {
        return of(row, SideState.BEHIND, false, row.attempts(), Optional.empty(), OptionalLong.empty());
    }

    private static SideRow of(
            TableRow row, SideState state, boolean holds, int attempts, Optional<String> error, OptionalLong next) {
        return new SideRow(
                row.rowId(), row.keyHash(), row.position().value(), state, holds, attempts, cut(error), next);
    }

    /** A row that is due at once. */
    public static SideRow atOnce(ThinRow row, Optional<String> error) {
        return new SideRow(
                row.rowId(),
                row.keyHash(),
                row.position().value(),
                SideState.RETRY,
                false,
                0,
                cut(error),
                OptionalLong.of(0));
    }

    /** As much of an error as its column can hold. */
    private static Optional<String> cut(Optional<String> error) {
        return error.map(text -> ErrorText.cut(text, ErrorText.SIDE_LENGTH));
    }

    /** The same row, due at once. */
    public SideRow atOnce() {
        return new SideRow(rowId, keyHash, position, SideState.RETRY, holds, attempts, error, OptionalLong.of(0));
    }

    /** The hash of an event key. Databases compute the same: {@link RelayDialect#keyHash}. */
    public static String hash(byte[] key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(key));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has MD5.", e);
        }
    }

    public boolean is(SideState other) {
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
