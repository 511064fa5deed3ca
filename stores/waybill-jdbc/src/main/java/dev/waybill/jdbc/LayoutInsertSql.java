package dev.waybill.jdbc;

import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The statements that insert into a layout's table. */
final class LayoutInsertSql {
    /** The columns that an append sets, in the order in which {@link LayoutValues} binds them. */
    static final List<TableColumn> BOUND = List.of(
            TableColumn.ID,
            TableColumn.TYPE,
            TableColumn.AGGREGATE_ID,
            TableColumn.AGGREGATE_TYPE,
            TableColumn.VERSION,
            TableColumn.AGGREGATE_VERSION,
            TableColumn.TOPIC,
            TableColumn.KEY,
            TableColumn.PAYLOAD,
            TableColumn.PAYLOAD_BYTES,
            TableColumn.CONTENT_TYPE,
            TableColumn.HEADERS);

    /** Existing tables may have these columns without a default. */
    private static final Set<TableColumn> WRITTEN_OUT =
            EnumSet.of(TableColumn.CREATED_AT, TableColumn.STATE, TableColumn.ATTEMPTS);

    private final TableLayout layout;
    private final TableDialect dialect;
    private final LayoutNames names;
    private final List<TableColumn> columns = new ArrayList<>();
    private final String oneRow;

    LayoutInsertSql(TableLayout layout, TableDialect dialect) {
        this.layout = layout;
        this.dialect = dialect;
        this.names = new LayoutNames(layout, dialect);
        BOUND.stream().filter(layout::has).forEach(columns::add);
        WRITTEN_OUT.stream().filter(layout::has).forEach(columns::add);
        this.oneRow = insert(1);
    }

    TableDialect dialect() {
        return dialect;
    }

    boolean hasOnConflict() {
        return dialect == TableDialect.POSTGRESQL;
    }

    String orFail(int rows) {
        return rows == 1 ? oneRow : insert(rows);
    }

    private String insert(int rows) {
        StringBuilder sql = new StringBuilder(names.in("insert into {table} ("));
        String separator = "";
        for (TableColumn column : columns) {
            sql.append(separator).append(dialect.quote(layout.column(column).orElseThrow()));
            separator = ", ";
        }
        sql.append(") values ");
        for (int row = 0; row < rows; row++) {
            sql.append(row == 0 ? "(" : ", (");
            values(sql, row);
            sql.append(')');
        }
        return sql.toString();
    }

    String ifAbsent(int rows) {
        return orFail(rows) + names.in(" on conflict ({id}) do nothing");
    }

    /** Sees committed rows of others, even in a transaction that reads from a snapshot. */
    String isThere() {
        return names.in("select {id} from {table} where {id} = ?")
                + (dialect == TableDialect.MARIADB ? " lock in share mode" : "");
    }

    /** Rows of a statement get times one microsecond apart, which keeps their order. */
    private void values(StringBuilder sql, int row) {
        String separator = "";
        for (TableColumn column : columns) {
            sql.append(separator);
            switch (column) {
                case CREATED_AT -> sql.append(dialect.sql().statementTime(layout, row));
                case STATE -> sql.append(pending());
                case ATTEMPTS -> sql.append('0');
                default -> sql.append(dialect.sql().parameter(layout, column));
            }
            separator = ", ";
        }
    }

    private String pending() {
        return layout.state() instanceof TableState.Words words ? "'" + words.pending() + "'" : "false";
    }
}
