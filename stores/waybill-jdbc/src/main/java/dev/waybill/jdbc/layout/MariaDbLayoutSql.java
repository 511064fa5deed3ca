package dev.waybill.jdbc.layout;

/** Outbox tables on MariaDB: what they are made of, and how events are inserted. */
public final class MariaDbLayoutSql extends LayoutSql {
    public static final MariaDbLayoutSql INSTANCE = new MariaDbLayoutSql();

    /** By bytes: else two ids, or two keys, that differ in case, accents or spaces at the end would be one. */
    public static final String COLLATION = "utf8mb4_nopad_bin";

    private static final String OPTIONS = " engine = InnoDB default character set utf8mb4 collate " + COLLATION;

    /** Versions before 10.7 have no type for a UUID. */
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

    /** Both are the statement's start. A timestamp column turns the session's time into UTC; a datetime column takes what it gets. */
    private static String clock(TableLayout layout) {
        return layout.zone().isPresent() ? "utc_timestamp(6)" : "current_timestamp(6)";
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
