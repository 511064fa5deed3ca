package dev.waybill.table.rows;

import org.jspecify.annotations.Nullable;

/**
 * A position in the order of an outbox table.
 *
 * @param value the sequence, or the time of creation in microseconds since 1970, or 0 if the table has neither
 * @param id of the row at this position if rows have no sequence; null means before or after all rows of that value
 */
public record TablePosition(long value, @Nullable Object id) {
    /** Before every row, also before rows with the lowest time that a database can store. */
    public static final TablePosition START = new TablePosition(Long.MIN_VALUE, null);

    public static TablePosition after(long value) {
        return new TablePosition(value, null);
    }

    public boolean isStart() {
        return equals(START);
    }

    /** A position before the row at this one. */
    public TablePosition before() {
        return value <= START.value ? START : new TablePosition(value - 1, null);
    }

    public boolean isBefore(TablePosition other) {
        return value < other.value;
    }

    /** The second one if the values are equal. */
    public static TablePosition later(TablePosition a, TablePosition b) {
        return b.isBefore(a) ? a : b;
    }

    public static TablePosition lower(TablePosition a, TablePosition b) {
        return b.isBefore(a) ? b : a;
    }
}
