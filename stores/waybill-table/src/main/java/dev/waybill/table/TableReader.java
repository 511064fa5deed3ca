package dev.waybill.table;

import dev.waybill.jdbc.layout.TableColumn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads rows of an outbox table. */
final class TableReader {
    /** Those that nobody has locked; they stay so until the transaction ends. */
    static final String LOCK_FREE = "select {id} from {table} where {id} {among} for update skip locked";

    /** Rows after a place, in order. Payloads come along only of rows that were not read before. */
    private static final String PAGE = """
            select {event_columns} from {table}
             where {is_pending} and {after} order by {order} limit ?""";

    /** The same without rows of which the side table speaks, and without rows of closed keys. */
    private static final String OPEN_PAGE = """
            select {event_columns} from {table} t
             where {is_pending} and {after}
               and not exists (select 1 from {claim} c where concat(c.outbox, '') = ? and c.row_id = {id_text}{row_by_row})
               and not exists (select 1 from {claim} c
                                where concat(c.outbox, '') = ? and c.key_hash = {key_hash_of_row} and c.holds = false
                                  and c.state = 'retry'{row_by_row})
               and not exists (select 1 from {claim} c
                                where concat(c.outbox, '') = ? and c.key_hash = {key_hash_of_row} and c.holds = true
                                  and c.state = 'dead'{row_by_row})
             order by {order} limit ?""";

    /** The same rows without what is in them. */
    private static final String THIN_PAGE = """
            select {thin_columns} from {table}
             where {is_pending} and {after} order by {order} limit ?""";

    private static final String THIN_DEAD = """
            select {thin_columns} from {table}
             where {is_dead} and {after} order by {order} limit ?""";

    private static final String ROWS_BY_ID =
            "select {all_event_columns} from {table} where {id} {among} and {is_pending}";

    private static final String PENDING_IDS = "select {id} from {table} where {id} {among} and {is_pending}";

    private static final String PAYLOADS =
            "select {id}, {payload}, {payload_bytes_or_null} from {table} where {id} {among}";

    private static final String THIN_BY_ID = """
            select {thin_columns}, case when {is_pending} then 'pending' when {is_dead} then 'dead' else 'done' end
              from {table} where {id} {among}""";

    private final TableConnection connection;
    private final boolean numbered;

    TableReader(TableConnection connection) {
        this.connection = connection;
        this.numbered = connection.layout().has(TableColumn.SEQUENCE);
    }

    /** Pending rows after a place, in order; payloads come along of those that lie above what was read before. */
    List<TableRow> page(TablePosition after, TablePosition reached, int limit) throws SQLException {
        PreparedStatement statement = prepare(PAGE, after);
        int at = bindValue(statement, 1, reached.value());
        if (connection.layout().has(TableColumn.PAYLOAD_BYTES)) {
            at = bindValue(statement, at, reached.value());
        }
        at = bindAfter(statement, at, after);
        statement.setInt(at, limit);
        return rows(statement);
    }

    /** The same without rows of closed keys, and without those of which the side table speaks, however many there are. */
    List<TableRow> openPage(TablePosition after, TablePosition reached, int limit) throws SQLException {
        PreparedStatement statement = prepare(OPEN_PAGE, after);
        int at = bindValue(statement, 1, reached.value());
        if (connection.layout().has(TableColumn.PAYLOAD_BYTES)) {
            at = bindValue(statement, at, reached.value());
        }
        at = bindAfter(statement, at, after);
        String aggregateType = connection.layout().aggregateType().orElse("");
        statement.setString(at, connection.outbox());
        statement.setString(at + 1, connection.outbox());
        statement.setString(at + 2, aggregateType);
        statement.setString(at + 3, connection.outbox());
        statement.setString(at + 4, aggregateType);
        statement.setInt(at + 5, limit);
        return rows(statement);
    }

    /** Of these rows those that nobody has locked; they stay locked until the transaction ends. */
    Set<String> lockFree(List<String> rowIds) throws SQLException {
        return idsOf(LOCK_FREE, rowIds);
    }

    List<ThinRow> thinPage(TablePosition after, int limit) throws SQLException {
        return thinPage(THIN_PAGE, after, limit);
    }

    List<ThinRow> deadPage(TablePosition after, int limit) throws SQLException {
        return thinPage(THIN_DEAD, after, limit);
    }

    private List<ThinRow> thinPage(String statementText, TablePosition after, int limit) throws SQLException {
        PreparedStatement statement = prepare(statementText, after);
        statement.setInt(bindAfter(statement, 1, after), limit);
        List<ThinRow> rows = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                rows.add(ThinRow.read(connection, row));
            }
        }
        return rows;
    }

    /** Of these rows those that are pending, with everything in them except large payloads. */
    Map<String, TableRow> pending(List<String> rowIds) throws SQLException {
        Map<String, TableRow> found = new HashMap<>();
        connection.forList(ROWS_BY_ID, connection.ids(rowIds), 1, (statement, listAt) -> {
            for (TableRow row : rows(statement)) {
                found.put(row.rowId(), row);
            }
        });
        return found;
    }

    /** Which of these rows are pending. */
    Set<String> stillPending(List<String> rowIds) throws SQLException {
        return idsOf(PENDING_IDS, rowIds);
    }

    private Set<String> idsOf(String statementText, List<String> rowIds) throws SQLException {
        Set<String> found = new HashSet<>();
        connection.forList(statementText, connection.ids(rowIds), 1, (statement, listAt) -> {
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(row.getString(1));
                }
            }
        });
        return found;
    }

    /** These rows, as far as they are there, with what they say of themselves. */
    Map<String, Standing> standing(List<String> rowIds) throws SQLException {
        Map<String, Standing> found = new HashMap<>();
        connection.forList(THIN_BY_ID, connection.ids(rowIds), 1, (statement, listAt) -> {
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    ThinRow thin = ThinRow.read(connection, row);
                    found.put(thin.rowId(), new Standing(thin, row.getString(ThinRow.COLUMNS + 1)));
                }
            }
        });
        return found;
    }

    /** @param says pending, dead or done */
    record Standing(ThinRow row, String says) {
        static final String PENDING = "pending";
        static final String DEAD = "dead";

        boolean isDone() {
            return !says.equals(PENDING) && !says.equals(DEAD);
        }
    }

    /**
     * Fetches the payloads that were withheld.
     *
     * @return the rows without those that somebody deleted meanwhile
     */
    List<TableRow> fill(List<TableRow> rows) throws SQLException {
        Map<String, TableRow> withheld = new HashMap<>();
        rows.stream().filter(TableRow::isToBeFilled).forEach(row -> withheld.put(row.rowId(), row));
        connection.forList(PAYLOADS, connection.ids(withheld.keySet()), 1, (statement, listAt) -> {
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    TableColumns columns = new TableColumns(connection, row);
                    @Nullable TableRow event = withheld.remove(columns.id(1));
                    byte @Nullable [] payload = columns.payload(2);
                    payload = payload == null ? row.getBytes(3) : payload;
                    if (event != null) {
                        event.fill(payload == null ? new byte[0] : payload);
                    }
                }
            }
        });
        return withheld.isEmpty()
                ? rows
                : rows.stream().filter(row -> !withheld.containsValue(row)).toList();
    }

    PreparedStatement prepare(String statement, TablePosition after) throws SQLException {
        return connection.prepare(connection.text().page(statement, after.id() != null));
    }

    /** @return the number of the next parameter */
    int bindAfter(PreparedStatement statement, int first, TablePosition after) throws SQLException {
        int at = bindValue(statement, first, after.value());
        if (!numbered && after.id() != null) {
            at = bindValue(statement, at, after.value());
            statement.setObject(at, after.id());
            at++;
        }
        return at;
    }

    private int bindValue(PreparedStatement statement, int at, long value) throws SQLException {
        if (numbered) {
            statement.setLong(at, value);
        } else {
            statement.setObject(at, connection.times().bindMicros(value));
        }
        return at + 1;
    }

    private List<TableRow> rows(PreparedStatement statement) throws SQLException {
        List<TableRow> rows = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                rows.add(new TableRow(connection, row));
            }
        }
        return rows;
    }
}
