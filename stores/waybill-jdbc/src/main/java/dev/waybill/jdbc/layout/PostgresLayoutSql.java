package dev.waybill.jdbc.layout;

import dev.waybill.jdbc.kernel.SchemaLockSql;
import java.time.ZoneOffset;
import java.util.List;

/** Outbox tables on PostgreSQL: what they are made of, and how events are inserted. */
final class PostgresLayoutSql implements LayoutSql {
    static final PostgresLayoutSql INSTANCE = new PostgresLayoutSql();

    private PostgresLayoutSql() {}

    @Override
    public String type(TableLayout layout, TableColumn column) {
        return switch (column) {
            case ID -> id(layout.idKind(), layout, column);
            case AGGREGATE_ID -> id(layout.aggregateIdKind(), layout, column);
            case SEQUENCE, AGGREGATE_VERSION -> "bigint";
            case VERSION, ATTEMPTS -> "integer";
            case PAYLOAD ->
                switch (layout.payloadKind()) {
                    case JSON -> "json";
                    case JSONB -> "jsonb";
                    case TEXT -> "text";
                    case BYTES -> "bytea";
                };
            case PAYLOAD_BYTES -> "bytea";
            case HEADERS -> "json";
            case CREATED_AT, PUBLISHED_AT, NEXT_ATTEMPT_AT, ERROR_AT, LOCKED_UNTIL ->
                layout.zone().isPresent() ? "timestamp" : "timestamptz";
            case STATE -> layout.state() instanceof TableState.Flag ? "boolean" : text(layout, column);
            case ERROR -> "text";
            case TYPE, AGGREGATE_TYPE, TOPIC, KEY, CONTENT_TYPE, LOCKED_BY -> text(layout, column);
        };
    }

    private static String id(TableLayout.IdKind kind, TableLayout layout, TableColumn column) {
        return switch (kind) {
            case UUID -> "uuid";
            case NUMBER -> "bigint";
            case TEXT -> text(layout, column) + " collate \"C\"";
        };
    }

    private static String text(TableLayout layout, TableColumn column) {
        return layout.length(column).isPresent()
                ? "varchar(" + layout.length(column).getAsInt() + ")"
                : "text";
    }

    @Override
    public String parameter(TableLayout layout, TableColumn column) {
        return "?";
    }

    @Override
    public String statementTime(TableLayout layout, int plusMicros) {
        return inZone(layout, "(clock_timestamp() + interval '" + plusMicros + " microseconds')");
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return inZone(layout, "clock_timestamp()");
    }

    /** The name of a zone has letters, digits and the signs of an offset only. */
    private static String inZone(TableLayout layout, String instant) {
        return layout.zone()
                .map(zone ->
                        "(" + instant + " at time zone '" + (zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId()) + "')")
                .orElse(instant);
    }

    @Override
    public String identity() {
        return "generated always as identity (cache 1)";
    }

    /** Each row is marked once, which adds a second entry beside its first: there is room for it. */
    @Override
    public String keyOptions() {
        return " with (fillfactor = 50)";
    }

    @Override
    public String tableOptions() {
        return "";
    }

    @Override
    public String withExactText(String createTable) {
        return createTable;
    }

    @Override
    public boolean indexesInTable() {
        return false;
    }

    @Override
    public boolean partialIndexes() {
        return true;
    }

    @Override
    public String recordVersion() {
        return "insert into {schema_version} (version) values (%d) on conflict do nothing";
    }

    @Override
    public List<String> lockSchema() {
        return List.of(SchemaLockSql.SEE_WHAT_OTHERS_COMMIT, SchemaLockSql.ASK_BRIEFLY, SchemaLockSql.LOCK_SCHEMA);
    }
}
