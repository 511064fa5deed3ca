package dev.waybill.jdbc.layout;

import java.util.List;

/** Outbox tables on MariaDB: what they are made of, and how events are inserted. */
public final class MariaDbLayoutSql implements LayoutSql {
    public static final MariaDbLayoutSql INSTANCE = new MariaDbLayoutSql();

    /** By bytes: else two ids, or two keys, that differ in case, accents or spaces at the end would be one. */
    public static final String COLLATION = "utf8mb4_nopad_bin";

    private static final String OPTIONS = " engine = InnoDB default character set utf8mb4 collate " + COLLATION;

    private MariaDbLayoutSql() {}

    @Override
    public String type(TableLayout layout, TableColumn column) {
        return switch (column) {
            case ID -> id(layout.idKind(), layout, column);
            case AGGREGATE_ID -> id(layout.aggregateIdKind(), layout, column);
            case SEQUENCE, AGGREGATE_VERSION -> "bigint";
            case VERSION, ATTEMPTS -> "integer";
            case PAYLOAD ->
                switch (layout.payloadKind()) {
                    case JSON, JSONB -> "json";
                    case TEXT -> "longtext";
                    case BYTES -> "longblob";
                };
            case PAYLOAD_BYTES -> "longblob";
            case HEADERS -> "json";
            case CREATED_AT, PUBLISHED_AT, NEXT_ATTEMPT_AT, ERROR_AT, LOCKED_UNTIL ->
                layout.zone().isPresent() ? "datetime(6)" : "timestamp(6)";
            case STATE -> layout.state() instanceof TableState.Flag ? "boolean" : text(layout, column);
            case ERROR -> "text";
            case TYPE, AGGREGATE_TYPE, TOPIC, KEY, CONTENT_TYPE, LOCKED_BY -> text(layout, column);
        };
    }

    /** Versions before 10.7 have no type for a UUID. */
    private static String id(TableLayout.IdKind kind, TableLayout layout, TableColumn column) {
        return switch (kind) {
            case UUID -> "char(36)";
            case NUMBER -> "bigint";
            case TEXT -> text(layout, column);
        };
    }

    private static String text(TableLayout layout, TableColumn column) {
        return "varchar(" + layout.length(column).orElse(255) + ")";
    }

    @Override
    public String parameter(TableLayout layout, TableColumn column) {
        return "?";
    }

    @Override
    public String statementTime(TableLayout layout, int plusMicros) {
        return "(" + clock(layout) + " + interval " + plusMicros + " microsecond)";
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return layout.zone().isPresent() ? "(" + clock(layout) + ")" : clock(layout);
    }

    /** Both are the statement's start. A timestamp column turns the session's time into UTC; a datetime column takes what it gets. */
    private static String clock(TableLayout layout) {
        return layout.zone().isPresent() ? "utc_timestamp(6)" : "current_timestamp(6)";
    }

    @Override
    public String identity() {
        return "auto_increment";
    }

    @Override
    public String keyOptions() {
        return "";
    }

    @Override
    public String tableOptions() {
        return OPTIONS;
    }

    /** Its options say so. */
    @Override
    public String withExactText(String createTable) {
        return createTable;
    }

    @Override
    public boolean indexesInTable() {
        return true;
    }

    @Override
    public boolean partialIndexes() {
        return false;
    }

    @Override
    public String recordVersion() {
        return "insert into {schema_version} (version) values (%d) on duplicate key update version = version";
    }

    @Override
    public List<String> lockSchema() {
        return List.of();
    }
}
