package dev.waybill.table;

import java.util.Locale;

/** What a row says of itself. */
enum RowState {
    PENDING,
    DEAD,
    /** Published, or given up. */
    DONE;

    /** The column of a row's state in a statement. */
    static String column(String isPending, String isDead) {
        return "case when " + isPending + " then 'pending' when " + isDead + " then 'dead' else 'done' end";
    }

    static RowState of(String column) {
        return valueOf(column.toUpperCase(Locale.ROOT));
    }
}
