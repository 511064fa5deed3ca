package dev.waybill.table.relay;

import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.table.relay.TableReplayRow.Place;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the rows of a replay in the order of the table, whatever their state. Rows are read in parts of bounded size without
 * payloads and matched here, so that no query takes long. The payloads of matching rows are read afterwards.
 */
final class TableReplayReader {
    /** Rows read for one part. */
    private static final int PART_ROWS = 5_000;

    /** Most parts that are counted: a million rows. */
    private static final int MAX_COUNTED = 200;

    /** After every row: payloads are read only for rows after this position, so for none. */
    private static final TablePosition NO_PAYLOADS = TablePosition.after(253_402_300_799_000_000L);

    private final TableReader reader;
    private final ReplayQuery query;
    private final long upTo;

    /**
     * @param rows the matching ones
     * @param end the position of the last row that was read
     * @param last whether there are no more rows
     */
    record Part(List<TableRow> rows, Place end, boolean last) {}

    TableReplayReader(TableConnection connection, ReplayQuery query, long upTo) {
        this.reader = new TableReader(connection);
        this.query = query;
        this.upTo = upTo;
    }

    Part after(Place start) throws SQLException {
        List<TableRow> rows = reader.page(start.position(), NO_PAYLOADS, PART_ROWS);
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
        return new Part(matching, end, rows.size() < PART_ROWS);
    }

    List<TableRow> withPayloads(List<TableRow> rows) throws SQLException {
        return reader.fill(rows);
    }

    ReplaySize count(Place start) throws SQLException {
        long events = 0;
        Place at = start;
        for (int i = 0; i < MAX_COUNTED; i++) {
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
