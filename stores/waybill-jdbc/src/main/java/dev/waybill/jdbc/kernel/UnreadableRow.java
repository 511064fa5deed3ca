package dev.waybill.jdbc.kernel;

import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * Errors about a value of one row: its bytes have no equivalent in UTF-8, it is damaged, or the driver cannot decode it. Such a row
 * becomes dead with the reason, and the others continue. Whoever meets such an error reads the ids of the rows first: if an index or
 * a whole page of the table is damaged, that fails too, and no event becomes dead.
 */
public final class UnreadableRow {
    /** SQLSTATEs: values that cannot be converted, damaged data, and an internal error, as of a value with a wrong length. */
    private static final List<String> STATES = List.of("22", "XX000", "XX001");

    private UnreadableRow() {}

    /** @throws SQLException the failure, if it is not about a row */
    public static SQLException require(SQLException failure) throws SQLException {
        String state = String.valueOf(failure.getSQLState());
        if (STATES.stream().noneMatch(state::startsWith) && !(failure instanceof SQLDataException)) {
            throw failure;
        }
        return failure;
    }

    /**
     * @param row which one, as the subject of a sentence
     * @param columns those that cannot be read
     */
    public static String reason(String row, Collection<String> columns, SQLException failure) {
        return row + " cannot be read" + (columns.isEmpty() ? "" : ", because of " + String.join(", ", columns))
                + " (" + (failure.getSQLState() == null ? "" : "SQLSTATE " + failure.getSQLState() + ": ")
                + ServerError.withoutRows(failure).getMessage()
                + "). Correct the row and requeue the event, or discard it.";
    }
}
