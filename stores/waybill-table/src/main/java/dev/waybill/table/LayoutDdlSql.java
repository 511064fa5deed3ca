package dev.waybill.table;

import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The statements that create the table of a layout. */
final class LayoutDdlSql {
    private static final int MAX_NAME_BYTES = 63;
    private static final Set<TableColumn> NEVER_NULL = EnumSet.of(
            TableColumn.ID,
            TableColumn.TYPE,
            TableColumn.AGGREGATE_ID,
            TableColumn.AGGREGATE_TYPE,
            TableColumn.PAYLOAD,
            TableColumn.CREATED_AT,
            TableColumn.SEQUENCE,
            TableColumn.VERSION,
            TableColumn.STATE,
            TableColumn.ATTEMPTS);

    private final TableLayout layout;
    private final TableDialect dialect;
    private final LayoutNames names;

    LayoutDdlSql(TableLayout layout, TableDialect dialect) {
        this.layout = layout;
        this.dialect = dialect;
        this.names = new LayoutNames(layout, dialect);
    }

    List<String> statements() {
        List<String> definitions = new ArrayList<>();
        for (Map.Entry<TableColumn, String> column : layout.columns().entrySet()) {
            definitions.add(column(column.getKey(), dialect.quote(column.getValue())));
        }
        if (layout.has(TableColumn.SEQUENCE)) {
            definitions.add(names.in("primary key ({sequence})") + dialect.sql().roomForUpdate());
            definitions.add(names.in("unique ({id})") + dialect.sql().roomForUpdate());
        } else {
            definitions.add(names.in("primary key ({id})") + dialect.sql().roomForUpdate());
        }
        List<String> statements = new ArrayList<>();
        for (TableLayout.Index index : layout.indexes()) {
            statements.add(index(index, definitions));
        }
        statements.add(pendingIndex(definitions));
        statements.removeIf(String::isEmpty);
        statements.add(
                0,
                names.in("create table if not exists {table} (\n    ") + String.join(",\n    ", definitions) + "\n)"
                        + dialect.sql().tableOptions()
                        + (layout.deletesPublished() ? "" : dialect.sql().roomForUpdate()));
        return statements;
    }

    private String column(TableColumn column, String name) {
        StringBuilder text =
                new StringBuilder(name).append(' ').append(dialect.sql().type(layout, column));
        switch (column) {
            case SEQUENCE -> text.append(' ').append(dialect.sql().identity());
            case VERSION -> text.append(" default 1");
            case ATTEMPTS -> text.append(" default 0");
            case CREATED_AT -> text.append(" default ").append(dialect.sql().defaultTime(layout));
            case STATE -> text.append(" default ").append(pendingValue());
            default -> {}
        }
        boolean optional = !NEVER_NULL.contains(column)
                || (column == TableColumn.PAYLOAD && layout.has(TableColumn.PAYLOAD_BYTES));
        return text.append(optional ? " null" : " not null").toString();
    }

    private String pendingValue() {
        return layout.state() instanceof TableState.Words words ? "'" + words.pending() + "'" : "false";
    }

    /** An index of the layout: a statement, or empty if it became part of the table definition. */
    private String index(TableLayout.Index index, List<String> definitions) {
        return index(dialect.quote(index.name()), columns(completed(index.columns())), "", definitions);
    }

    /**
     * In H2 indexes do not end with the primary key, so an index on state and time does not order rows of one time: every page
     * would read all of them. A second index does not help, since H2 prefers the shorter one.
     */
    private List<TableColumn> completed(List<TableColumn> index) {
        List<TableColumn> ordered = new ArrayList<>(stateColumn());
        ordered.addAll(order());
        boolean begins = index.size() < ordered.size()
                && ordered.subList(0, index.size()).equals(index);
        return dialect == TableDialect.H2 && begins ? ordered : index;
    }

    /** The column that holds the state; empty if every row is pending. */
    private List<TableColumn> stateColumn() {
        if (layout.state() instanceof TableState.Presence) {
            return List.of();
        }
        return List.of(layout.has(TableColumn.STATE) ? TableColumn.STATE : TableColumn.PUBLISHED_AT);
    }

    private List<TableColumn> order() {
        if (layout.has(TableColumn.SEQUENCE)) {
            return List.of(TableColumn.SEQUENCE);
        }
        return layout.has(TableColumn.CREATED_AT)
                ? List.of(TableColumn.CREATED_AT, TableColumn.ID)
                : List.of(TableColumn.ID);
    }

    /** The index for polling, unless an index of the layout serves it. */
    private String pendingIndex(List<String> definitions) {
        List<TableColumn> all = new ArrayList<>(stateColumn());
        boolean hasState = !all.isEmpty();
        all.addAll(order());
        TableColumn first = all.get(0);
        boolean isKey = first == TableColumn.SEQUENCE || first == TableColumn.ID;
        if (isKey || layout.indexes().stream().anyMatch(index -> index.columns().get(0) == first)) {
            return "";
        }
        String name = dialect.quote(indexName());
        if (hasState && dialect.sql().partialIndexes()) {
            String pending = first == TableColumn.STATE ? "{is_pending}" : "{published_at} is null";
            return index(name, columns(order()), names.in(" where " + pending), definitions);
        }
        return index(name, columns(all), "", definitions);
    }

    private String index(String name, String columns, String where, List<String> definitions) {
        if (dialect.sql().indexesInTable()) {
            definitions.add("index " + name + " (" + columns + ")");
            return "";
        }
        return "create index if not exists " + name + names.in(" on {table} (") + columns + ")" + where;
    }

    private String columns(List<TableColumn> columns) {
        return String.join(
                ", ",
                columns.stream()
                        .map(column -> dialect.quote(layout.column(column).orElseThrow()))
                        .toList());
    }

    private String indexName() {
        String name = "idx_" + layout.table() + "_pending";
        return name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES
                ? name
                : "idx_" + UUID.nameUUIDFromBytes(layout.table().getBytes(StandardCharsets.UTF_8)) + "_pending";
    }
}
