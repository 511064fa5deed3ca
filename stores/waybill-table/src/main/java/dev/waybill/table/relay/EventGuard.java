package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publisher-side idempotency: an event is recorded as PROCESSING when it is claimed, and as SUCCESS in the transaction that
 * marks it. An event recorded as SUCCESS is only marked, not sent. Since a lease lets one process at a time work on a row, a
 * PROCESSING found at a claim is from a process that died. The event is sent again, since it may not have been sent.
 *
 * <p>The guard's collation may treat different ids as equal. The database looks entries up by its index, so by that collation, and
 * only an entry with exactly this id counts. An event whose id the guard cannot record beside another one is sent without it.
 */
final class EventGuard {
    private static final Logger log = LoggerFactory.getLogger(EventGuard.class);

    private static final String KNOWN = "select event_id, status from {guard} where event_id {among}";

    private static final String AGAIN =
            "update {guard} set status = 'PROCESSING', updated_at = ? where status <> 'SUCCESS' and event_id {among}";

    private static final String BEGIN =
            "insert into {guard} (event_id, status, created_at, updated_at) values (?, 'PROCESSING', ?, ?)";

    private static final String END = "update {guard} set status = ?, updated_at = ? where event_id {among}";

    private static final String SUCCESS = "SUCCESS";
    private static final String FAILED = "FAILED";

    private final TableConnection connection;
    private final Optional<String> table;

    private EventGuard(TableConnection connection, Optional<String> table) {
        this.connection = connection;
        this.table = table;
    }

    static EventGuard of(TableConnection connection, SessionOptions options) {
        return new EventGuard(connection, options.guard());
    }

    /**
     * Rows that were claimed.
     *
     * @param toSend are recorded as PROCESSING
     * @param published are recorded as SUCCESS, and only to be marked
     */
    record Admission(List<TableRow> toSend, List<TableRow> published) {}

    /** Changes no row of the outbox table, since somebody may have locked it. */
    Admission admit(List<TableRow> rows, Instant now) throws SQLException {
        if (table.isEmpty() || rows.isEmpty()) {
            return new Admission(rows, List.of());
        }
        return connection.retryOnConflict(() -> {
            Map<String, String> known = known(rows.stream().map(TableRow::rowId).toList());
            Admission admission = new Admission(new ArrayList<>(), new ArrayList<>());
            for (TableRow row : rows) {
                boolean succeeded = SUCCESS.equals(known.get(row.rowId()));
                (succeeded ? admission.published() : admission.toSend()).add(row);
            }
            begin(admission.toSend().stream().map(TableRow::rowId).toList(), known.keySet(), now);
            return admission;
        });
    }

    private void begin(List<String> ids, Set<String> known, Instant now) throws SQLException {
        Object at = connection.times().bind(now);
        connection.among(ids.stream().filter(known::contains).toList()).update(sql(AGAIN), at);
        List<String> unknown = ids.stream().filter(id -> !known.contains(id)).toList();
        if (!unknown.isEmpty() && !insert(unknown, at)) {
            long unrecorded = 0;
            for (String id : unknown) {
                unrecorded += insert(List.of(id), at) ? 0 : 1;
            }
            if (unrecorded > 0) {
                log.warn(
                        "{} events of {} are sent without being recorded in the guard {}: for its column event_id their ids"
                                + " are too long, have characters that it cannot hold, or are equal to the id of another"
                                + " event. Lengthen the column, or give it a collation that compares bytes.",
                        unrecorded,
                        connection.layout().tableName(),
                        table.orElseThrow());
            }
        }
    }

    /** @return false, without an effect, if the database refuses one of these ids */
    private boolean insert(List<String> ids, Object at) throws SQLException {
        try {
            return connection.underSavepoint(() -> {
                connection.updateEach(sql(BEGIN), ids, id -> new Object[] {id, at, at});
                return true;
            });
        } catch (SQLException e) {
            if (SqlFailure.of(e) == SqlFailure.DUPLICATE || RowByRow.refusesValue(e)) {
                return false;
            }
            throw e;
        }
    }

    void published(List<String> ids, Instant now) throws SQLException {
        end(SUCCESS, ids, now);
    }

    void failed(List<String> ids, Instant now) throws SQLException {
        end(FAILED, ids, now);
    }

    private void end(String status, List<String> ids, Instant now) throws SQLException {
        if (table.isPresent()) {
            Set<String> known = known(ids).keySet();
            connection
                    .among(ids.stream().filter(known::contains).toList())
                    .update(sql(END), status, connection.times().bind(now));
        }
    }

    /** Entries with their statuses. There may be others than of these ids, whose ids are equal under the guard's collation. */
    private Map<String, String> known(List<String> ids) throws SQLException {
        Map<String, String> known = new HashMap<>();
        connection.among(ids).each(sql(KNOWN), row -> known.put(row.getString(1), row.getString(2)));
        return known;
    }

    private String sql(String statement) {
        return statement.replace(
                "{guard}", TableText.beside(connection.layout(), connection.dialect(), table.orElseThrow()));
    }
}
