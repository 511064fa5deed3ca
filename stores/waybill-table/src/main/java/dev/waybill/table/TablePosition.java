package dev.waybill.table;

import org.jspecify.annotations.Nullable;

/**
 * A place in the order of an outbox table.
 *
 * @param value the sequence, or the time of creation in microseconds since 1970
 * @param id of the row at this place, where only the time orders rows; nothing means before or after all of that time
 */
record TablePosition(long value, @Nullable Object id) {
    /** Before every row. As a time it is the year 1900, which every database can compare with. */
    static final TablePosition START = new TablePosition(-2_208_988_800_000_000L, null);

    static TablePosition after(long value) {
        return new TablePosition(value, null);
    }

    /** A place surely before the row at this one. */
    TablePosition before() {
        return value <= START.value ? START : new TablePosition(value - 1, null);
    }

    boolean isBefore(TablePosition other) {
        return value < other.value;
    }

    /** The second, where both are of the same value. */
    static TablePosition later(TablePosition a, TablePosition b) {
        return b.isBefore(a) ? a : b;
    }

    static TablePosition lower(TablePosition a, TablePosition b) {
        return b.isBefore(a) ? b : a;
    }
}
