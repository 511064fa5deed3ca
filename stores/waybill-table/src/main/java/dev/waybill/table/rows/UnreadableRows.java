package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.Statements;
import dev.waybill.jdbc.kernel.UnreadableRow;
import dev.waybill.jdbc.layout.TableColumn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows by their ids, although some of them may have a value that cannot be read: in halves, until such a row is alone. It is
 * read without the columns that fail.
 */
public final class UnreadableRows<R> {
    /** A row is found by these, or keeps its place. */
    private static final Set<TableColumn> NEEDED =
            EnumSet.of(TableColumn.ID, TableColumn.SEQUENCE, TableColumn.CREATED_AT);

    /** If one of these cannot be converted, its bytes are equal in all rows of a key. */
    private static final Set<TableColumn> BYTES = EnumSet.of(
            TableColumn.TYPE, TableColumn.AGGREGATE_TYPE, TableColumn.AGGREGATE_ID, TableColumn.TOPIC, TableColumn.KEY);

    /** A page without rows that went meanwhile would look like the last one, so it is read again. */
    private static final int MAX_ATTEMPTS = 10;

    private static final String NULL = "null";

    private final TableConnection connection;
    private final String statement;
    private final Statements.Row<R> row;
    private final Function<R, String> rowId;
    private final BiFunction<R, String, R> unreadable;

    /**
     * @param statement with the list of ids
     * @param rowId returns the id of a row
     * @param unreadable adds the reason to a row of which not everything was read
     */
    public UnreadableRows(
            TableConnection connection,
            String statement,
            Statements.Row<R> row,
            Function<R, String> rowId,
            BiFunction<R, String, R> unreadable) {
        this.connection = connection;
        this.statement = statement;
        this.row = row;
        this.rowId = rowId;
        this.unreadable = unreadable;
    }

    /**
     * The rows of a page, in its order, after its statement failed.
     *
     * @param page a statement with the placeholder of columns, and its arguments without those of its columns
     * @param before the arguments before the ids
     * @throws SQLException the failure, if it is not about a row
     */
    public List<R> page(SQLException failure, String page, @Nullable Object[] arguments, @Nullable Object... before)
            throws SQLException {
        UnreadableRow.require(failure);
        String ids = connection.text().instead(page, onlyNeeded());
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            List<String> wanted = connection.query(ids, found -> found.getString(1), arguments);
            Map<String, R> rows = new HashMap<>();
            read(connection.ids(wanted), before).forEach(found -> rows.put(rowId.apply(found), found));
            if (rows.keySet().containsAll(wanted)) {
                return wanted.stream()
                        .map(id -> Objects.requireNonNull(rows.get(id)))
                        .toList();
            }
        }
        throw failure;
    }

    /** @param before the arguments before the ids */
    public List<R> read(List<?> ids, @Nullable Object... before) throws SQLException {
        try {
            return query(statement, ids, before);
        } catch (SQLException e) {
            SQLException failure = UnreadableRow.require(e);
            if (ids.size() == 1) {
                return alone(ids, failure);
            }
            List<R> found = new ArrayList<>(read(ids.subList(0, ids.size() / 2), before));
            found.addAll(read(ids.subList(ids.size() / 2, ids.size()), before));
            return found;
        }
    }

    private List<R> query(String text, List<?> ids, @Nullable Object... before) throws SQLException {
        return connection.keepingTransaction(() -> connection.among(ids).query(text, row, before));
    }

    private List<R> alone(List<?> id, SQLException failure) throws SQLException {
        Map<TableColumn, String> instead = new EnumMap<>(TableColumn.class);
        List<String> failed = new ArrayList<>();
        for (Map.Entry<TableColumn, String> column :
                connection.layout().columns().entrySet()) {
            if (!NEEDED.contains(column.getKey()) && !reads(id, column.getKey(), false)) {
                failed.add(column.getValue());
                boolean hasBytes = BYTES.contains(column.getKey()) && reads(id, column.getKey(), true);
                instead.put(column.getKey(), insteadOf(column.getKey(), hasBytes));
            }
        }
        if (failed.isEmpty()) {
            throw failure;
        }
        String reason = UnreadableRow.reason("A row of " + connection.layout().tableName(), failed, failure);
        return query(connection.text().instead(statement, instead), id).stream()
                .map(found -> unreadable.apply(found, reason))
                .toList();
    }

    /** Whether this column can be read without the others. */
    private boolean reads(List<?> id, TableColumn only, boolean bytes) throws SQLException {
        Map<TableColumn, String> instead = onlyNeeded();
        if (bytes) {
            instead.put(only, insteadOf(only, true));
        } else {
            instead.remove(only);
        }
        try {
            query(connection.text().instead(statement, instead), id);
            return true;
        } catch (SQLException e) {
            UnreadableRow.require(e);
            return false;
        }
    }

    private static Map<TableColumn, String> onlyNeeded() {
        Map<TableColumn, String> instead = new EnumMap<>(TableColumn.class);
        EnumSet.complementOf(EnumSet.copyOf(NEEDED)).forEach(column -> instead.put(column, NULL));
        return instead;
    }

    private String insteadOf(TableColumn column, boolean bytes) {
        return bytes ? connection.relayDialect().bytes(TableText.placeholder(column)) : NULL;
    }
}
