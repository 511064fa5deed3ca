package dev.waybill.jdbc.layout;

/** Statements that look at the tables of a layout and read none of its rows, and those about versions; the same on every database. */
public final class TableChecksSql {
    private TableChecksSql() {}

    public static final String TABLE = "select * from {table} where 1 = 0";

    public static final String COLUMNS = "select %s from {table} where 1 = 0";

    public static final String VERSIONS = "select version from {schema_version} where 1 = 0";

    public static final String NEWEST_VERSION = "select max(version) from {schema_version}";
}
