package dev.waybill.table;

import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.table.TableReplayRow.Place;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what a replay of an outbox table is about, along the order of the table, whatever state the rows are in. Rows are taken
 * in parts of bounded size without their payloads and matched here, so that no query makes the database walk for long; the
 * payloads of those that match are fetched after.
 */
final class TableReplayReader {
    /** So many rows are looked at for one part. */
    private static final int LOOKED_AT = 5_000;

    /** So many parts are worth counting: a million rows. */
    private static final int MOST_COUNTED = 200;

    /** Behind every row: payloads come along of rows behind this place only, so of none. */
    private static final TablePosition NO_PAYLOADS = TablePosition.after(253_402_300_799_000_000L);

    private final TableReader reader;
    private final ReplayQuery query;
    private final long upTo;

    /**
     * @param rows that match
     * @param end how far was looked
     * @param last whether there is nothing behind it
     */
    record Part(List<TableRow> rows, Place end, boolean last) {}

    TableReplayReader(TableConnection connection, ReplayQuery query, long upTo) {
        this.reader = new TableReader(connection);
        this.query = query;
        this.upTo = upTo;
    }

    Part after(Place start) throws SQLException {
        List<TableRow> rows = reader.page(start.position(), NO_PAYLOADS, LOOKED_AT);
        List<TableRow> matching = new ArrayList<>();
        Place end = start;
        for (TableRow row : rows) {
            if (row.position().value() > upTo) {
                return new Part(matching, end, true);
            }
            end = Place.of(row);
            if (query.matches(row)) {
                row.attempts(0);
                matching.add(row);
            }
        }
        return new Part(matching, end, rows.size() < LOOKED_AT);
    }

    List<TableRow> withPayloads(List<TableRow> rows) throws SQLException {
        return reader.fill(rows);
    }

    ReplaySize count(Place start) throws SQLException {
        long events = 0;
        Place at = start;
        for (int i = 0; i < MOST_COUNTED; i++) {
            Part part = after(at);
            events += part.rows().size();
            at = part.end();
            if (part.last()) {
                return new ReplaySize(events, true);
            }
        }
        return new ReplaySize(events, false);
    }
}
