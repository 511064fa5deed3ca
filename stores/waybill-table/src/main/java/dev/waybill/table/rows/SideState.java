package dev.waybill.table.rows;

import java.util.Locale;

/** Why a row is in the side table. */
public enum SideState {
    /** It waits for its retry. */
    RETRY,
    DEAD,
    /**
     * It follows a row of its key that waits. Only in replays, where the outbox table cannot tell which rows are still to be
     * sent.
     */
    BEHIND,
    /** A competing session has a lease on it. */
    LEASED;

    /** The value of the column. */
    public String column() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SideState of(String column) {
        return valueOf(column.toUpperCase(Locale.ROOT));
    }
}
