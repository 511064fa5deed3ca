package dev.waybill.table;

import java.util.Locale;

/** Why a row is in the side table. */
enum SideState {
    /** It waits for its retry. */
    RETRY,
    DEAD,
    /** It is behind one that waits. Only in replays, where rows themselves cannot say that they are still to be sent. */
    BEHIND,
    /** A competing session has a lease on it. */
    LEASED;

    /** As the column says it. */
    String column() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SideState of(String column) {
        return valueOf(column.toUpperCase(Locale.ROOT));
    }
}
