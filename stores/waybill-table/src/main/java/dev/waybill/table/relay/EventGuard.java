package dev.waybill.table.relay;

import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publisher-side idempotency: an event is recorded as PROCESSING when it is claimed, and as SUCCESS in the transaction that
 * marks it. An event recorded as SUCCESS is only marked, not sent. Since a lease lets one process at a time work on a row, a
 * PROCESSING found at a claim is from a process that died. The event is sent again, since it may not have been sent.
 */
final class EventGuard {
    private static final Logger log = LoggerFactory.getLogger(EventGuard.class);

    private static final String SUCCEEDED =
            "select event_id from {guard} where status = 'SUCCESS' and event_id {among}";

    private static final String KNOWN = "select event_id from {guard} where event_id {among}";

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
            List<String> ids = rows.stream().map(TableRow::rowId).toList();
            Set<String> succeeded = ids(SUCCEEDED, ids);
            Admission admission = new Admission(new ArrayList<>(), new ArrayList<>());
            for (TableRow row : rows) {
                (succeeded.contains(row.rowId()) ? admission.published() : admission.toSend()).add(row);
            }
            begin(admission.toSend().stream().map(TableRow::rowId).toList(), now);
            return admission;
        });
    }

    private void begin(List<String> ids, Instant now) throws SQLException {
        Object at = connection.times().bind(now);
        connection.among(ids).update(sql(AGAIN), at);
        Set<String> known = ids(KNOWN, ids);
        List<String> unknown = ids.stream().filter(id -> !known.contains(id)).toList();
        connection.updateEach(sql(BEGIN), fitting(unknown), id -> new Object[] {id, at, at});
    }

    /** Ids that are too long for the guard are not recorded: their events are sent as if there were no guard. */
    private List<String> fitting(List<String> ids) throws SQLException {
        if (ids.stream().allMatch(id -> id.length() <= SideRow.LONGEST_ID)) {
            return ids;
        }
        int longest = connection.longestIdOf(table.orElseThrow()).orElse(Integer.MAX_VALUE);
        List<String> fitting = ids.stream()
                .filter(id -> id.codePointCount(0, id.length()) <= longest)
                .toList();
        if (fitting.size() < ids.size()) {
            log.warn(
                    "{} events of {} are sent without being recorded in the guard {}: their ids have more than {}"
                            + " characters. Shorten the ids, or lengthen its column event_id.",
                    ids.size() - fitting.size(),
                    connection.layout().tableName(),
                    table.orElseThrow(),
                    longest);
        }
        return fitting;
    }

    void published(List<String> ids, Instant now) throws SQLException {
        end(SUCCESS, ids, now);
    }

    void failed(List<String> ids, Instant now) throws SQLException {
        end(FAILED, ids, now);
    }

    private void end(String status, List<String> ids, Instant now) throws SQLException {
        if (table.isPresent()) {
            connection.among(ids).update(sql(END), status, connection.times().bind(now));
        }
    }

    private Set<String> ids(String statementText, List<String> ids) throws SQLException {
        return new HashSet<>(connection.among(ids).query(sql(statementText), row -> row.getString(1)));
    }

    private String sql(String statement) {
        return statement.replace(
                "{guard}", TableText.beside(connection.layout(), connection.dialect(), table.orElseThrow()));
    }
}
