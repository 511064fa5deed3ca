package dev.waybill.jdbc.layout;

import java.util.List;

/**
 * Statements to create an outbox table and to insert into it. Dialects override what differs. {@link LayoutNames} replaces the
 * placeholders in braces.
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

    /** The parameter of this column in an insert. */
    public String parameter(TableLayout layout, TableColumn column) {
        return "?";
    }

    /**
     * The database's current time, in the form of the layout's time columns. Not the start of the transaction: a transaction that
     * waited for a lock would get an earlier time than the one it waited for.
     *
     * @param plusMicros for databases that give all rows of a statement the same time
     */
    public abstract String statementTime(TableLayout layout, int plusMicros);

    /** Default of created_at. */
    public abstract String defaultTime(TableLayout layout);

    /** A null in the form of the layout's time columns, for tables without a creation time. */
    String noTime(TableLayout layout) {
        return "cast(null as " + type(layout, TableColumn.CREATED_AT) + ")";
    }

    /** Definition of a column that the database numbers. */
    public abstract String identity();

    /** Options of a new table and its keys that leave room for the second version of each row. */
    public String roomForUpdate() {
        return "";
    }

    /** Options of a new table. */
    public String tableOptions() {
        return "";
    }

    /** The statement that creates a table, with case-sensitive text whatever the database's settings. */
    public String withExactText(String createTable) {
        return createTable;
    }

    /** Whether indexes are created with the table or by separate statements. */
    public boolean indexesInTable() {
        return false;
    }

    /** Whether an index can be on pending rows only. */
    public boolean partialIndexes() {
        return false;
    }

    /** Records that this version of the schema was applied. Idempotent. */
    public abstract String recordVersion();

    /** Prevents concurrent creation until the transaction ends; empty if the database does that itself. */
    public List<String> lockSchema() {
        return List.of();
    }
}
