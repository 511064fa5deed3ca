package dev.waybill.jdbc.layout;

/** Statements to create outbox tables on H2 and to insert events. */
final class H2LayoutSql extends LayoutSql {
    static final H2LayoutSql INSTANCE = new H2LayoutSql();

    private static final String EPOCH = "timestamp with time zone '1970-01-01 00:00:00+00'";

    /**
     * H2's functions for the time return the start of the transaction, and its list of sessions, which has the start of the
     * statement, cannot be read while the transaction of another session ends. So this is the time in a UUID of version 7: 48 bits
     * of milliseconds, and after four bits for the version, 12 bits of fractions of a millisecond.
     */
    private static final String CURRENT_TIME = """
            (select dateadd(microsecond,
                cast(x'0000' || substring(instant, 1, 6) as bigint) * 1000
                + mod(cast(x'000000000000' || substring(instant, 7, 2) as bigint), 4096) * 1000 / 4096,
                %s) from (select cast(random_uuid(7) as varbinary(16)) as instant))""".formatted(EPOCH);

    /**
     * Later than all times that this session has asked for, also those of the rows of one statement. A variable of the session keeps the
     * last one; it is not far ahead, unless the clock was set back.
     */
    private static final String NEXT_TIME = """
            set(@waybill_last_time, greatest(%1$s, least(
                dateadd(microsecond, 1, cast(coalesce(@waybill_last_time, %2$s) as timestamp(6) with time zone)),
                dateadd(millisecond, 10, %1$s))))""".formatted(CURRENT_TIME, EPOCH);

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
        return inZone(layout, NEXT_TIME);
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return inZone(layout, "current_timestamp(6)");
    }

    /** A cast would convert to the session's zone. */
    private static String inZone(TableLayout layout, String instant) {
        return layout.zone().isEmpty()
                ? instant
                : "dateadd(microsecond, datediff(microsecond, " + EPOCH + ", " + instant
                        + "), timestamp '1970-01-01 00:00:00')";
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
