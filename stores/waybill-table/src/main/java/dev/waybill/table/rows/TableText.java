package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.LockHolders;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Statements of a layout on one database: replaces placeholders by names, columns and the dialect's expressions. */
public final class TableText {
    /** The columns of {@link TableRow}, in order. */
    private static final List<TableColumn> EVENT_COLUMNS = List.of(
            TableColumn.ID,
            TableColumn.TYPE,
            TableColumn.VERSION,
            TableColumn.AGGREGATE_TYPE,
            TableColumn.AGGREGATE_ID,
            TableColumn.AGGREGATE_VERSION,
            TableColumn.TOPIC,
            TableColumn.KEY,
            TableColumn.CONTENT_TYPE,
            TableColumn.HEADERS,
            TableColumn.CREATED_AT,
            TableColumn.SEQUENCE,
            TableColumn.ATTEMPTS);

    private static final List<TableColumn> THIN_COLUMNS = List.of(
            TableColumn.ID,
            TableColumn.TYPE,
            TableColumn.AGGREGATE_TYPE,
            TableColumn.AGGREGATE_ID,
            TableColumn.KEY,
            TableColumn.CREATED_AT,
            TableColumn.SEQUENCE,
            TableColumn.ATTEMPTS,
            TableColumn.ERROR);

    private static final List<TableColumn> PAYLOAD_COLUMNS = List.of(TableColumn.PAYLOAD, TableColumn.PAYLOAD_BYTES);

    private final TableLayout layout;
    private final TableDialect dialect;
    private final RelayDialect database;
    private final LayoutNames names;
    private final Map<String, String> macros = new HashMap<>();

    public TableText(TableLayout layout, TableDialect dialect, TableView view) {
        this.layout = layout;
        this.dialect = dialect;
        this.database = RelayDialect.of(dialect);
        this.names = new LayoutNames(layout, dialect);
        boolean numbered = layout.has(TableColumn.SEQUENCE);
        macros.put("{clock}", database.clock());
        macros.put("{transaction}", database.transaction());
        macros.put(
                "{event_columns}",
                eventColumns(Map.of()) + ", " + payloads(numbered ? "{sequence} > ?" : "{created_at} > ?", Map.of()));
        macros.putAll(columnsWith(Map.of()));
        boolean anyState = view.replay().isPresent();
        macros.put("{order}", anyState ? order() : orderWithinState());
        macros.put(
                "{created_order}",
                layout.has(TableColumn.STATE) ? database.order("{state}", "{created_at}") : "{created_at}");
        macros.put("{is_dead}", anyState ? "1 = 0" : isDead());
        macros.put("{is_pending_at_any_time}", anyState ? "1 = 1" : names.in("{is_pending}"));
        macros.put("{is_pending}", (anyState ? "1 = 1" : names.in("{is_pending}")) + created(view, dialect));
        macros.put("{row_by_row}", database.rowByRow());
        macros.put(
                "{id_fits}",
                layout.idKind() == TableLayout.IdKind.TEXT ? "char_length(t.{id}) <= " + SideRow.LONGEST_ID : "1 = 1");
        macros.put("{id_text}", database.asText("t.{id}"));
        macros.put("{due_order}", database.order("c.outbox, c.state", "c.next_attempt_at, c.position"));
        macros.put("{waiting_order}", database.order("key_hash, holds, state", "position"));
        macros.put(
                "{key_hash_of_row}",
                database.keyHash(
                        ofRow(TableColumn.KEY), ofRow(TableColumn.AGGREGATE_TYPE), ofRow(TableColumn.AGGREGATE_ID)));
        macros.put("{content_type_or_null}", columns(List.of(TableColumn.CONTENT_TYPE)));
        macros.put(
                "{published_or_created}",
                layout.has(TableColumn.PUBLISHED_AT) ? "coalesce({published_at}, {created_at})" : "{created_at}");
    }

    private String order() {
        if (layout.has(TableColumn.SEQUENCE)) {
            return "{sequence}";
        }
        return layout.has(TableColumn.CREATED_AT) ? "{created_at}, {id}" : "{id}";
    }

    private String orderWithinState() {
        return layout.state() instanceof TableState.Presence
                ? order()
                : database.order(layout.has(TableColumn.STATE) ? "{state}" : "{published_at}", order());
    }

    /** Times are literals, so that the number of parameters does not depend on the view. */
    private String created(TableView view, TableDialect dialect) {
        TableTimes times = new TableTimes(layout, dialect);
        return view.createdFrom()
                        .map(from -> " and {created_at} >= " + times.literal(from))
                        .orElse("")
                + view.createdUntil()
                        .map(until -> " and {created_at} < " + times.literal(until))
                        .orElse("");
    }

    /** The statement for rows after a position. */
    String page(String statement, TablePosition after) {
        return statement.replace("{after}", after(after));
    }

    private String after(TablePosition position) {
        boolean afterRow = position.id() != null;
        if (layout.has(TableColumn.SEQUENCE)) {
            return "{sequence} > ?";
        }
        if (!layout.has(TableColumn.CREATED_AT)) {
            return afterRow ? "{id} > ?" : "1 = 1";
        }
        if (position.isStart()) {
            return "{created_at} >= ?";
        }
        return afterRow ? "{created_at} >= ? and ({created_at} > ? or {id} > ?)" : "{created_at} > ?";
    }

    String among(String statement, int size) {
        return statement.replace("{among}", database.among(size));
    }

    /**
     * The statement with other expressions for some columns. It has no parameters for its columns.
     *
     * @param instead with placeholders
     */
    String instead(String statement, Map<TableColumn, String> instead) {
        String text = statement.replace("{event_columns}", "{all_event_columns}");
        for (Map.Entry<String, String> columns : columnsWith(instead).entrySet()) {
            text = text.replace(columns.getKey(), columns.getValue());
        }
        return text;
    }

    private Map<String, String> columnsWith(Map<TableColumn, String> instead) {
        return Map.of(
                "{thin_columns}", columns(THIN_COLUMNS, instead),
                "{listed_columns}", listedColumns(instead),
                "{payload_length}", payloadLength(instead),
                "{payload_columns}", columns(PAYLOAD_COLUMNS, instead),
                "{all_event_columns}", eventColumns(instead) + ", " + payloads("true", instead));
    }

    /** The statement for the database. */
    public String in(String statement) {
        String text = statement;
        for (Map.Entry<String, String> macro : macros.entrySet()) {
            text = text.replace(macro.getKey(), macro.getValue());
        }
        return names.in(text);
    }

    /** Without a creation time, the time when the row is read stands for it. */
    private String eventColumns(Map<TableColumn, String> instead) {
        String columns = columns(EVENT_COLUMNS, instead);
        return layout.has(TableColumn.CREATED_AT)
                ? columns
                : columns.replace("{created_at}", dialect.sql().statementTime(layout, 0));
    }

    private String columns(List<TableColumn> columns) {
        return columns(columns, Map.of());
    }

    private String columns(List<TableColumn> columns, Map<TableColumn, String> instead) {
        List<String> texts = new ArrayList<>();
        for (TableColumn column : columns) {
            boolean named = layout.has(column) || column == TableColumn.CREATED_AT;
            texts.add(named ? instead.getOrDefault(column, placeholder(column)) : "null");
        }
        return String.join(", ", texts);
    }

    static String placeholder(TableColumn column) {
        return "{" + column.name().toLowerCase(Locale.ROOT) + "}";
    }

    private String ofRow(TableColumn column) {
        return layout.has(column) ? "t." + placeholder(column) : "null";
    }

    /** The columns that listings read. */
    private String listedColumns(Map<TableColumn, String> instead) {
        return columns(THIN_COLUMNS, instead) + ", " + RowState.column("{is_pending}", isDead()) + ", "
                + columns(List.of(TableColumn.PUBLISHED_AT));
    }

    /**
     * The payload, its bytes and its length. Large payloads are null, and so are those that do not meet the condition.
     */
    private String payloads(String wanted, Map<TableColumn, String> instead) {
        if (!Collections.disjoint(PAYLOAD_COLUMNS, instead.keySet())) {
            return columns(PAYLOAD_COLUMNS, instead) + ", " + payloadLength(instead);
        }
        String large = layout.payloadKind() == TableLayout.PayloadKind.BYTES
                ? "octet_length({payload}) > 16384"
                : database.isLarge("{payload}");
        String bytes = layout.has(TableColumn.PAYLOAD_BYTES)
                ? "case when %s and octet_length({payload_bytes}) <= 16384 then {payload_bytes} end".formatted(wanted)
                : "null";
        return "case when %s and not %s then {payload} end, %s, %s"
                .formatted(wanted, large, bytes, payloadLength(instead));
    }

    private String payloadLength(Map<TableColumn, String> instead) {
        if (!Collections.disjoint(PAYLOAD_COLUMNS, instead.keySet())) {
            return "0";
        }
        String length = layout.payloadKind() == TableLayout.PayloadKind.BYTES
                ? "octet_length({payload})"
                : database.length("{payload}");
        return layout.has(TableColumn.PAYLOAD_BYTES)
                ? "coalesce(octet_length({payload_bytes}), %s)".formatted(length)
                : length;
    }

    private String isDead() {
        if (layout.state() instanceof TableState.Words words && words.dead().isPresent()) {
            return "{state} = '" + words.dead().get() + "'";
        }
        if (layout.countsAttempts()) {
            return "({published_at} is null and {attempts} >= " + layout.maxAttempts() + ")";
        }
        return "1 = 0";
    }

    /** Who keeps the outbox table and its side tables locked; empty if the database does not tell. */
    public Optional<LockHolders> lockHolders() {
        return dialect == TableDialect.POSTGRESQL
                ? Optional.of(new LockHolders(List.of(in("{relay}"), in("{claim}")), List.of(in("{table}"))))
                : Optional.empty();
    }

    /** A table in the schema of the outbox table. */
    public static String beside(TableLayout layout, TableDialect dialect, String table) {
        return layout.schema().map(schema -> dialect.quote(schema) + ".").orElse("") + dialect.quote(table);
    }

    /** Whether rows of the layout have a state for dead rows. */
    public static boolean hasDeadState(TableLayout layout) {
        return (layout.state() instanceof TableState.Words words && words.dead().isPresent())
                || layout.countsAttempts();
    }
}
