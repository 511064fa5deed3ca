package dev.waybill.jdbc;

/** Statements that look at the tables of a layout and read none of its rows, and those about versions; the same on every database. */
final class TableChecksSql {
    private TableChecksSql() {}

    static final String TABLE = "select * from {table} where 1 = 0";

    static final String COLUMNS = "select %s from {table} where 1 = 0";

    static final String VERSIONS = "select version from {schema_version} where 1 = 0";

    static final String NEWEST_VERSION = "select max(version) from {schema_version}";
}
