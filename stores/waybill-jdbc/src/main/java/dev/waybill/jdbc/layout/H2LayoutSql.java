package dev.waybill.jdbc.layout;

/** Statements to create outbox tables on H2 and to insert events. */
final class H2LayoutSql extends LayoutSql {
    static final H2LayoutSql INSTANCE = new H2LayoutSql();

    /** Start of the statement. H2's functions return the start of the transaction. */
    private static final String STATEMENT_START =
            "(select executing_statement_start from information_schema.sessions where session_id = session_id())";

    /** Case-sensitive even with IGNORECASE. */
    private static final String EXACT_TEXT = "varchar_casesensitive";

    private H2LayoutSql() {
        super(new ColumnTypes(
                "uuid",
                "json",
                "json",
                "character large object",
                "binary large object",
                "character large object",
                "timestamp(6)",
                "timestamp(6) with time zone"));
    }

    @Override
    String text(TableLayout layout, TableColumn column) {
        return layout.length(column).isPresent()
                ? EXACT_TEXT + "(" + layout.length(column).getAsInt() + ")"
                : EXACT_TEXT;
    }

    /** Without this, text for a json column would become a JSON string. */
    @Override
    public String parameter(TableLayout layout, TableColumn column) {
        return type(layout, column).equals("json") ? "? format json" : "?";
    }

    @Override
    public String statementTime(TableLayout layout, int plusMicros) {
        return inZone(layout, "dateadd(microsecond, " + plusMicros + ", " + STATEMENT_START + ")");
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return inZone(layout, "current_timestamp(6)");
    }

    /** A cast would convert to the session's zone. */
    private static String inZone(TableLayout layout, String instant) {
        return layout.zone().isEmpty()
                ? instant
                : "dateadd(microsecond, datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', "
                        + instant + "), timestamp '1970-01-01 00:00:00')";
    }

    @Override
    public String identity() {
        return "generated always as identity (no cache)";
    }

    @Override
    public String withExactText(String createTable) {
        return createTable.replace("varchar(", EXACT_TEXT + "(");
    }

    @Override
    public String recordVersion() {
        return "merge into {schema_version} (version) key (version) values (%d)";
    }
}
