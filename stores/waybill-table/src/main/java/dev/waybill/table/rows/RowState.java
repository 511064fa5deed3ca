package dev.waybill.table.rows;

import java.util.Locale;

/** State of a row according to its own columns. */
public enum RowState {
    PENDING,
    DEAD,
    /** Published or discarded. */
    DONE;

    /** SQL expression for the state of a row. */
    static String column(String isPending, String isDead) {
        return "case when " + isPending + " then 'pending' when " + isDead + " then 'dead' else 'done' end";
    }

    public static RowState of(String column) {
        return valueOf(column.toUpperCase(Locale.ROOT));
    }
}
