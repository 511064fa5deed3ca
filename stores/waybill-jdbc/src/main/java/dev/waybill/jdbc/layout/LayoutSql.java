package dev.waybill.jdbc.layout;

import java.util.List;

/**
 * A database's way to make an outbox table and to insert into it. Most of it is the same everywhere, and a dialect overrides what
 * is not. Names stand in braces, for {@link LayoutNames} to fill in.
 */
public abstract class LayoutSql {
    private final ColumnTypes types;

    LayoutSql(ColumnTypes types) {
        this.types = types;
    }

    /** The type of a layout's column. */
    public final String type(TableLayout layout, TableColumn column) {
        return switch (column) {
            case ID -> id(layout.idKind(), layout, column);
            case AGGREGATE_ID -> id(layout.aggregateIdKind(), layout, column);
            case SEQUENCE, AGGREGATE_VERSION -> "bigint";
            case VERSION, ATTEMPTS -> "integer";
            case PAYLOAD ->
                switch (layout.payloadKind()) {
                    case JSON -> types.json();
                    case JSONB -> types.jsonb();
                    case TEXT -> types.document();
                    case BYTES -> types.bytes();
                };
            case PAYLOAD_BYTES -> types.bytes();
            case HEADERS -> types.json();
            case CREATED_AT, PUBLISHED_AT, NEXT_ATTEMPT_AT, ERROR_AT, LOCKED_UNTIL ->
                layout.zone().isPresent() ? types.local() : types.instant();
            case STATE -> layout.state() instanceof TableState.Flag ? "boolean" : text(layout, column);
            case ERROR -> types.error();
            case TYPE, AGGREGATE_TYPE, TOPIC, KEY, CONTENT_TYPE, LOCKED_BY -> text(layout, column);
        };
    }

    private String id(TableLayout.IdKind kind, TableLayout layout, TableColumn column) {
        return switch (kind) {
            case UUID -> types.uuid();
            case NUMBER -> "bigint";
            case TEXT -> textId(layout, column);
        };
    }

    /** The type of an id that is a text. */
    String textId(TableLayout layout, TableColumn column) {
        return text(layout, column);
    }

    /** The type of a text. */
    abstract String text(TableLayout layout, TableColumn column);

    /** What stands for a value of this column in an insert. */
    public String parameter(TableLayout layout, TableColumn column) {
        return "?";
    }

    /**
     * The database's clock while the statement runs, in the form of the layout's time columns. Not that of the
     * transaction's start: a transaction that waited for a lock would be dated before the one it waited for.
     */
    public abstract String statementTime(TableLayout layout, int plusMicros);

    /** What a row gets as its created_at that was inserted without one. */
    public abstract String defaultTime(TableLayout layout);

    /** How a column says that the database numbers it. */
    public abstract String identity();

    /** What stands behind a key of a new table. */
    public String keyOptions() {
        return "";
    }

    /** What stands behind the columns of a new table. */
    public String tableOptions() {
        return "";
    }

    /** The statement that creates a table, with text that tells case apart whatever the database was set to. */
    public String withExactText(String createTable) {
        return createTable;
    }

    /** Whether indexes are made with the table or by statements of their own. */
    public boolean indexesInTable() {
        return false;
    }

    /** Whether an index can be on pending rows only. */
    public boolean partialIndexes() {
        return false;
    }

    /** Says in the schema's versions that this one was applied; may have been said already. */
    public abstract String recordVersion();

    /** Keeps others from creating the same, until the transaction ends; empty where the database sees to it. */
    public List<String> lockSchema() {
        return List.of();
    }
}
