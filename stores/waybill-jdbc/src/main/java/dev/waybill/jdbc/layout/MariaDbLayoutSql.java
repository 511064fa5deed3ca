package dev.waybill.jdbc.layout;

/** Statements to create outbox tables on MariaDB and to insert events. */
public final class MariaDbLayoutSql extends LayoutSql {
    public static final MariaDbLayoutSql INSTANCE = new MariaDbLayoutSql();

    /** Compares bytes; otherwise ids or keys that differ in case, accents or trailing spaces would be equal. */
    public static final String COLLATION = "utf8mb4_nopad_bin";

    private static final String OPTIONS = " engine = InnoDB default character set utf8mb4 collate " + COLLATION;

    /** Versions before 10.7 have no UUID type. */
    private MariaDbLayoutSql() {
        super(new ColumnTypes(
                "char(36)", "json", "json", "longtext", "longblob", "text", "datetime(6)", "timestamp(6)"));
    }

    @Override
    String text(TableLayout layout, TableColumn column) {
        return "varchar(" + layout.length(column).orElse(255) + ")";
    }

    @Override
    public String statementTime(TableLayout layout, int plusMicros) {
        return "(" + clock(layout) + " + interval " + plusMicros + " microsecond)";
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return layout.zone().isPresent() ? "(" + clock(layout) + ")" : clock(layout);
    }

    /** Both are the statement's start. A timestamp column converts the session's time to UTC; a datetime column does not. */
    private static String clock(TableLayout layout) {
        return layout.zone().isPresent() ? "utc_timestamp(6)" : "current_timestamp(6)";
    }

    /** MariaDB has no casts to timestamp, and needs none. */
    @Override
    String noTime(TableLayout layout) {
        return "null";
    }

    @Override
    public String identity() {
        return "auto_increment";
    }

    @Override
    public String tableOptions() {
        return OPTIONS;
    }

    @Override
    public boolean indexesInTable() {
        return true;
    }

    @Override
    public String recordVersion() {
        return "insert into {schema_version} (version) values (%d) on duplicate key update version = version";
    }
}
