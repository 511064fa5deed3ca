package dev.waybill.table.rows;

import dev.waybill.jdbc.layout.TableColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads rows of an outbox table. */
public final class TableReader {
    public static final String LOCK = "select {id} from {table} where {id} {among} for update";

    /** Ends a query that locks only rows that nobody else has locked. */
    static final String FOR_UPDATE_OF_FREE = " for update skip locked";

    /** Skips rows locked by others; the rest stays locked until the transaction ends. */
    public static final String LOCK_FREE = "select {id} from {table} where {id} {among}" + FOR_UPDATE_OF_FREE;

    /** Rows after a position, in order. Payloads are read only for rows that were not read before. */
    private static final String PAGE = """
            select {event_columns} from {table}
             where {is_pending} and {after} order by {order} limit ?""";

    /** The same without rows that have a side row and without rows of closed keys. */
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

    /** Pending rows without payload and headers. */
    private static final String THIN_PAGE = """
            select {thin_columns} from {table}
             where {is_pending} and {after} order by {order} limit ?""";

    private static final String THIN_DEAD = """
            select {thin_columns} from {table}
             where {is_dead} and {after} order by {order} limit ?""";

    private static final String ROWS_BY_ID =
            "select {all_event_columns} from {table} where {id} {among} and {is_pending}";

    private static final String NEW_ROWS_BY_ID =
            "select {event_columns} from {table} where {id} {among} and {is_pending}";

    private static final String PENDING_IDS = "select {id} from {table} where {id} {among} and {is_pending}";

    private static final String PAYLOADS = "select {id}, {payload_columns} from {table} where {id} {among}";

    private static final String THIN_BY_ID = "select {thin_columns}, "
            + RowState.column("{is_pending_at_any_time}", "{is_dead}") + " from {table} where {id} {among}";

    private final TableConnection connection;
    private final boolean numbered;

    public TableReader(TableConnection connection) {
        this.connection = connection;
        this.numbered = connection.layout().has(TableColumn.SEQUENCE);
    }

    /** Pending rows after a position, in order, with the payloads of those after {@code reached}. */
    public List<TableRow> page(TablePosition after, TablePosition reached, int limit) throws SQLException {
        return rows(PAGE, after, reached, limit);
    }

    /** The same without rows of closed keys and without rows that have a side row. */
    public List<TableRow> openPage(TablePosition after, TablePosition reached, int limit) throws SQLException {
        String outbox = connection.outbox();
        String aggregateType = connection.layout().aggregateType().orElse("");
        return rows(OPEN_PAGE, after, reached, limit, outbox, outbox, aggregateType, outbox, aggregateType);
    }

    /** If a row cannot be read, they are all read by their ids, also those of closed keys. */
    private List<TableRow> rows(String text, TablePosition after, TablePosition reached, int limit, Object... rest)
            throws SQLException {
        List<Object> payloadsAfter = new ArrayList<>(List.of(value(reached)));
        if (connection.layout().has(TableColumn.PAYLOAD_BYTES)) {
            payloadsAfter.add(value(reached));
        }
        List<Object> arguments = new ArrayList<>(payloadsAfter);
        arguments.addAll(List.of(after(after, rest)));
        arguments.add(limit);
        try {
            return connection.query(page(text, after), this::row, arguments.toArray());
        } catch (SQLException e) {
            return unreadable(NEW_ROWS_BY_ID).page(e, page(PAGE, after), after(after, limit), payloadsAfter.toArray());
        }
    }

    private TableRow row(ResultSet row) throws SQLException {
        return new TableRow(connection, row);
    }

    private UnreadableRows<TableRow> unreadable(String byId) {
        return new UnreadableRows<>(connection, byId, this::row, TableRow::rowId, TableRow::unreadable);
    }

    /** Locks those of these rows that nobody else has locked, until the transaction ends. */
    public Set<String> lockFree(List<String> rowIds) throws SQLException {
        return idsOf(LOCK_FREE, rowIds);
    }

    public List<ThinRow> thinPage(TablePosition after, int limit) throws SQLException {
        return thinPage(THIN_PAGE, after, limit);
    }

    public List<ThinRow> deadPage(TablePosition after, int limit) throws SQLException {
        return thinPage(THIN_DEAD, after, limit);
    }

    private List<ThinRow> thinPage(String statementText, TablePosition after, int limit) throws SQLException {
        try {
            return connection.query(
                    page(statementText, after), row -> ThinRow.read(connection, row), after(after, limit));
        } catch (SQLException e) {
            return thin().page(e, page(statementText, after), after(after, limit)).stream()
                    .map(RowWithState::row)
                    .toList();
        }
    }

    /** Those of these rows that are pending, without large payloads. */
    public Map<String, TableRow> pending(List<String> rowIds) throws SQLException {
        Map<String, TableRow> found = new HashMap<>();
        unreadable(ROWS_BY_ID).read(connection.ids(rowIds)).forEach(row -> found.put(row.rowId(), row));
        return found;
    }

    /** Those of these rows that are pending. */
    public Set<String> stillPending(List<String> rowIds) throws SQLException {
        return idsOf(PENDING_IDS, rowIds);
    }

    private Set<String> idsOf(String statementText, List<String> rowIds) throws SQLException {
        return new HashSet<>(connection.among(connection.ids(rowIds)).query(statementText, row -> row.getString(1)));
    }

    /** Those of these rows that exist, with their states, also rows outside the time range of the view. */
    public Map<String, RowWithState> withState(List<String> rowIds) throws SQLException {
        Map<String, RowWithState> found = new HashMap<>();
        thin().read(connection.ids(rowIds)).forEach(thin -> found.put(thin.row().rowId(), thin));
        return found;
    }

    private UnreadableRows<RowWithState> thin() {
        return new UnreadableRows<>(
                connection, THIN_BY_ID, this::withState, found -> found.row().rowId(), (found, reason) -> found);
    }

    private RowWithState withState(ResultSet row) throws SQLException {
        return new RowWithState(ThinRow.read(connection, row), RowState.of(row.getString(ThinRow.COLUMNS + 1)));
    }

    public record RowWithState(ThinRow row, RowState state) {}

    /**
     * Reads the payloads that were not read with their rows.
     *
     * @return the rows that still exist
     */
    public List<TableRow> fill(List<TableRow> rows) throws SQLException {
        Map<String, TableRow> withheld = new HashMap<>();
        rows.stream().filter(TableRow::isToBeFilled).forEach(row -> withheld.put(row.rowId(), row));
        List<Payload> payloads = new UnreadableRows<>(
                        connection, PAYLOADS, this::payload, Payload::rowId, Payload::unreadable)
                .read(connection.ids(withheld.keySet()));
        for (Payload payload : payloads) {
            @Nullable TableRow event = withheld.remove(payload.rowId());
            if (event != null) {
                event.fill(payload.bytes());
                payload.reason().ifPresent(event::unreadable);
            }
        }
        return withheld.isEmpty()
                ? rows
                : rows.stream().filter(row -> !withheld.containsValue(row)).toList();
    }

    private record Payload(String rowId, byte[] bytes, Optional<String> reason) {
        Payload unreadable(String why) {
            return new Payload(rowId, bytes, Optional.of(why));
        }
    }

    private Payload payload(ResultSet row) throws SQLException {
        byte @Nullable [] payload = new TableColumns(connection, row).payload(2);
        payload = payload == null ? row.getBytes(3) : payload;
        return new Payload(row.getString(1), payload == null ? new byte[0] : payload, Optional.empty());
    }

    /** The statement for rows after a position. */
    public String page(String statement, TablePosition after) {
        return connection.text().page(statement, after);
    }

    /** The arguments of {@link #page}: the position, then the others. */
    public Object[] after(TablePosition after, Object... rest) {
        List<Object> arguments = new ArrayList<>();
        if (connection.layout().isOrdered()) {
            arguments.add(value(after));
        }
        if (!numbered && after.id() != null) {
            if (connection.layout().isOrdered()) {
                arguments.add(value(after));
            }
            arguments.add(after.id());
        }
        arguments.addAll(List.of(rest));
        return arguments.toArray();
    }

    private Object value(TablePosition place) {
        return numbered ? (Object) place.value() : connection.times().bindMicros(place.value());
    }
}
