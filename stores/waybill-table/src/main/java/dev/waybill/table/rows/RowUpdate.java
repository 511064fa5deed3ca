package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An update of the columns that hold the outcome of a row, or the deletion of a published row if the layout says so. Columns that
 * the layout lacks are left out.
 */
public final class RowUpdate {
    private static final String UPDATE_ROWS = "update {table} set {sets} where {id} {among}";

    /** Consecutive numbers are close together in the index; ids are not. */
    private static final String UPDATE_NUMBERED = "update {table} set {sets} where {sequence} {among}";

    private static final String DELETE_ROWS = "delete from {table} where {id} {among}";

    private static final String DELETE_NUMBERED = "delete from {table} where {sequence} {among}";

    private final TableConnection connection;
    private final TableLayout layout;
    private final List<String> sets = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();
    private boolean deletes;

    private RowUpdate(TableConnection connection) {
        this.connection = connection;
        this.layout = connection.layout();
    }

    public static RowUpdate published(TableConnection connection, Instant at) {
        RowUpdate update = new RowUpdate(connection).publishedState().time(TableColumn.PUBLISHED_AT, at);
        return update.free();
    }

    /**
     * Marks a row as published, with its error. Unless the published time is the state of the layout, it stays empty. If the
     * layout deletes published rows, this one is deleted too.
     */
    public static RowUpdate givenUp(TableConnection connection, Instant at, String error) {
        RowUpdate update = new RowUpdate(connection).publishedState().error(error, at);
        if (connection.layout().state() instanceof TableState.PublishedTime) {
            update.time(TableColumn.PUBLISHED_AT, at);
        }
        return update.free();
    }

    public static RowUpdate failed(
            TableConnection connection, int attempts, String error, Instant at, Instant nextAttempt) {
        return new RowUpdate(connection)
                .put(TableColumn.ATTEMPTS, attempts)
                .error(error, at)
                .time(TableColumn.NEXT_ATTEMPT_AT, nextAttempt)
                .unlock();
    }

    /** If the layout has no state for dead rows, only the attempts and the error are written. */
    public static RowUpdate dead(TableConnection connection, int attempts, String error, Instant at) {
        RowUpdate update = new RowUpdate(connection);
        TableLayout layout = connection.layout();
        if (layout.state() instanceof TableState.Words words) {
            words.dead().ifPresent(word -> update.literal(TableColumn.STATE, "'" + word + "'"));
        }
        boolean counted = layout.state() instanceof TableState.PublishedTime;
        update.put(TableColumn.ATTEMPTS, counted ? Math.max(attempts, layout.maxAttempts()) : attempts);
        return update.error(error, at).free();
    }

    /** Only the state of a dead row, in a layout that has one, without its error. */
    public static RowUpdate deadState(TableConnection connection) {
        RowUpdate update = new RowUpdate(connection);
        TableLayout layout = connection.layout();
        if (layout.state() instanceof TableState.Words words) {
            words.dead().ifPresent(word -> update.literal(TableColumn.STATE, "'" + word + "'"));
        }
        return layout.countsAttempts() ? update.put(TableColumn.ATTEMPTS, layout.maxAttempts()) : update;
    }

    public static RowUpdate pendingAgain(TableConnection connection) {
        RowUpdate update = new RowUpdate(connection);
        if (connection.layout().state() instanceof TableState.Words words) {
            update.literal(TableColumn.STATE, "'" + words.pending() + "'");
        }
        return update.put(TableColumn.ATTEMPTS, 0).free();
    }

    private RowUpdate publishedState() {
        deletes = layout.deletesPublished();
        if (layout.state() instanceof TableState.Words words) {
            return literal(TableColumn.STATE, "'" + words.published() + "'");
        }
        return layout.state() instanceof TableState.Flag ? literal(TableColumn.STATE, "true") : this;
    }

    private RowUpdate free() {
        if (layout.has(TableColumn.NEXT_ATTEMPT_AT)) {
            literal(TableColumn.NEXT_ATTEMPT_AT, "null");
        }
        return unlock();
    }

    private RowUpdate unlock() {
        return layout.has(TableColumn.LOCKED_BY)
                ? literal(TableColumn.LOCKED_BY, "null").literal(TableColumn.LOCKED_UNTIL, "null")
                : this;
    }

    private RowUpdate error(String error, Instant at) {
        return put(TableColumn.ERROR, ErrorText.cut(error, connection.errorLength()))
                .time(TableColumn.ERROR_AT, at);
    }

    private RowUpdate time(TableColumn column, Instant at) {
        return put(column, connection.times().bind(at));
    }

    private RowUpdate put(TableColumn column, Object value) {
        if (layout.has(column)) {
            sets.add(place(column) + " = ?");
            values.add(value);
        }
        return this;
    }

    private RowUpdate literal(TableColumn column, String value) {
        sets.add(place(column) + " = " + value);
        return this;
    }

    private static String place(TableColumn column) {
        return "{" + column.name().toLowerCase(Locale.ROOT) + "}";
    }

    public void to(List<String> rowIds) throws SQLException {
        write(deletes ? DELETE_ROWS : UPDATE_ROWS, connection.amongFew(connection.ids(rowIds)));
    }

    /** Updates rows that were read, by sequence if there is one. */
    public void toRead(List<TableRow> rows) throws SQLException {
        if (layout.has(TableColumn.SEQUENCE)) {
            List<Long> numbers =
                    rows.stream().map(row -> row.position().value()).toList();
            write(
                    deletes ? DELETE_NUMBERED : UPDATE_NUMBERED,
                    deletes ? connection.amongFew(numbers) : connection.among(numbers));
        } else {
            List<?> ids = connection.ids(rows.stream().map(TableRow::rowId).toList());
            write(deletes ? DELETE_ROWS : UPDATE_ROWS, deletes ? connection.amongFew(ids) : connection.among(ids));
        }
    }

    private void write(String statement, ListStatements rows) throws SQLException {
        // A replay does not change rows of the outbox table.
        if (connection.isReplay()) {
            return;
        }
        if (deletes) {
            rows.delete(statement.equals(DELETE_NUMBERED) ? "{sequence}" : "{id}", statement);
        } else if (!sets.isEmpty()) {
            rows.update(statement.replace("{sets}", String.join(", ", sets)), values.toArray());
        }
    }
}
