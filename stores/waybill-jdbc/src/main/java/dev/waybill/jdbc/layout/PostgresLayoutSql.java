package dev.waybill.jdbc.layout;

import dev.waybill.jdbc.kernel.SchemaLockSql;
import java.time.ZoneOffset;
import java.util.List;

/** Statements to create outbox tables on PostgreSQL and to insert events. */
final class PostgresLayoutSql extends LayoutSql {
    static final PostgresLayoutSql INSTANCE = new PostgresLayoutSql();

    private PostgresLayoutSql() {
        super(new ColumnTypes("uuid", "json", "jsonb", "text", "bytea", "text", "timestamp", "timestamptz"));
    }

    @Override
    String textId(TableLayout layout, TableColumn column) {
        return text(layout, column) + " collate \"C\"";
    }

    @Override
    String text(TableLayout layout, TableColumn column) {
        return layout.length(column).isPresent()
                ? "varchar(" + layout.length(column).getAsInt() + ")"
                : "text";
    }

    /** One time for all rows: if the time went on from row to row, the last ones would come after what is appended next. */
    @Override
    public String statementTime(TableLayout layout, int plusMicros) {
        return inZone(layout, "(statement_timestamp() + interval '" + plusMicros + " microseconds')");
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return inZone(layout, "clock_timestamp()");
    }

    /** The name of a zone contains only letters, digits and the signs of an offset. */
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

    /** Each row is updated once: its second version stays on the page of the first, and so do its index entries. */
    @Override
    public String roomForUpdate() {
        return " with (fillfactor = 50)";
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
