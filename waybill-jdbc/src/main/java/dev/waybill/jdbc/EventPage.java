package dev.waybill.jdbc;

import dev.waybill.spi.Limits;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Events as one statement gave them, within the limits.
 *
 * @param cut whether there may be more where they came from
 */
record EventPage(List<JournalRow> rows, boolean cut) {

    interface Attempts {
        int of(ResultSet row) throws SQLException;
    }

    /** The statement stops at the first event that does not fit; that one is read to know of it, and left for the next page. */
    static EventPage read(PreparedStatement statement, Limits max, Attempts attempts) throws SQLException {
        List<JournalRow> rows = new ArrayList<>(Math.min(max.events(), 1_000));
        long bytes = 0;
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                JournalRow event = new JournalRow(row, attempts.of(row));
                bytes += event.payload().length;
                if (bytes > max.bytes() && !rows.isEmpty()) {
                    return new EventPage(rows, true);
                }
                rows.add(event);
            }
        }
        return new EventPage(rows, rows.size() == max.events() || bytes >= max.bytes());
    }

    JournalRow last() {
        return rows.get(rows.size() - 1);
    }
}
