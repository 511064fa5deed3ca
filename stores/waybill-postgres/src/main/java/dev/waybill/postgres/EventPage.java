package dev.waybill.postgres;

import dev.waybill.spi.Limits;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Events as one statement gave them, within the limits.
 *
 * @param lastSeq of the last one that was read; one that was deleted meanwhile counts
 * @param cut whether there may be more where they came from
 */
record EventPage(List<JournalRow> rows, long lastSeq, boolean cut) {
    /** What was withheld. */
    static final String WITHHELD =
            "select seq, payload, payload_bytes, content_type, headers from waybill.event where seq = any (?)";

    interface Attempts {
        int of(ResultSet row) throws SQLException;
    }

    /** Large columns are fetched only once it is known that they fit, and not at all when they are too large for anybody. */
    static EventPage read(JournalConnection connection, PreparedStatement statement, Limits max, Attempts attempts)
            throws SQLException {
        List<JournalRow> rows = new ArrayList<>();
        Map<Long, JournalRow> withheld = new HashMap<>();
        long bytes = 0;
        boolean tooLarge = false;
        try (ResultSet row = statement.executeQuery()) {
            while (!tooLarge && row.next()) {
                JournalRow event = new JournalRow(row, attempts.of(row));
                boolean unwanted = event.isLargerThan(max.largest());
                bytes += unwanted ? event.beside() : event.bytes();
                tooLarge = bytes > max.bytes() && !rows.isEmpty();
                if (!tooLarge) {
                    rows.add(event);
                    if (event.isWithheld() && !unwanted) {
                        withheld.put(event.seq, event);
                    }
                }
            }
        }
        boolean cut = tooLarge || rows.size() == max.events();
        long lastSeq = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).seq;
        fetch(connection, withheld);
        if (!withheld.isEmpty()) {
            rows.removeAll(withheld.values());
        }
        return new EventPage(rows, lastSeq, cut);
    }

    /** Events that were deleted meanwhile stay in the map. */
    private static void fetch(JournalConnection connection, Map<Long, JournalRow> withheld) throws SQLException {
        if (withheld.isEmpty()) {
            return;
        }
        PreparedStatement statement = connection.prepare(WITHHELD);
        statement.setArray(1, connection.array("bigint", withheld.keySet().toArray()));
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                Objects.requireNonNull(withheld.remove(row.getLong(1))).fill(row);
            }
        }
    }
}
