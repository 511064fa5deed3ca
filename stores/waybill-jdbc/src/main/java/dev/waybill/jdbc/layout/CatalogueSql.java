package dev.waybill.jdbc.layout;

/**
 * What the catalogue of a database knows about the columns of a table. Each takes the names as {@link Catalogue} binds them:
 * the table, then the column.
 */
public final class CatalogueSql {
    private CatalogueSql() {}

    // ---- whether a key or index makes this column alone unique

    static final String UNIQUE_POSTGRESQL = """
            select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid
             where i.indrelid = ?::regclass and a.attname = ? and i.indisunique and i.indisvalid and i.indpred is null
               and i.indnkeyatts = 1 and i.indkey[0] = a.attnum""";

    static final String UNIQUE_MARIADB = """
            select 1 from information_schema.statistics
             where table_schema = coalesce(?, database()) and table_name = ?
             group by index_name
            having max(non_unique) = 0 and count(*) = 1 and max(lower(column_name)) = lower(?)""";

    static final String UNIQUE_H2 = """
            select 1 from information_schema.index_columns
             where upper(table_schema) = upper(coalesce(?, schema())) and upper(table_name) = upper(?)
             group by index_schema, index_name
            having every(is_unique) and count(*) = 1 and max(upper(column_name)) = upper(?)""";

    // ---- whether a column may be null

    static final String NULLABLE_POSTGRESQL =
            "select 1 from pg_attribute where attrelid = ?::regclass and attname = ? and not attnotnull";

    static final String NULLABLE = """
            select 1 from information_schema.columns
             where upper(table_schema) = upper(coalesce(?, {here})) and upper(table_name) = upper(?)
               and upper(column_name) = upper(?) and is_nullable = 'YES'""";

    // ---- the collation of a column: nothing when it has none, or compares by bytes

    static final String COLLATION_POSTGRESQL = """
            select case when t.typname = 'citext' then 'citext' else c.collname end
              from pg_attribute a
              join pg_type t on t.oid = a.atttypid
              left join pg_collation c on c.oid = a.attcollation
             where a.attrelid = ?::regclass and a.attname = ? and (t.typname = 'citext' or not c.collisdeterministic)""";

    static final String COLLATION_MARIADB = """
            select collation_name from information_schema.columns
             where table_schema = coalesce(?, database()) and table_name = ? and lower(column_name) = lower(?)
               and collation_name is not null and collation_name not like '%\\_nopad\\_bin' and collation_name <> 'binary'""";

    static final String COLLATION_H2 = """
            select data_type from information_schema.columns
             where upper(table_schema) = upper(coalesce(?, schema())) and upper(table_name) = upper(?)
               and upper(column_name) = upper(?) and data_type = 'VARCHAR_IGNORECASE'""";

    // ---- what is to be done about it

    static final String MAKE_UNIQUE = "create unique index {index} on {table} ({column})";

    static final String COUNT_NULLS = "select count(*) from (select 1 from {table} where {column} is null limit ?) x";

    static final String COUNT_ANY_NULLS = "select count(*) from (select 1 from {table} where {any} limit ?) x";

    public static final String FILL_NULLS = "update {table} set {column} = {value} where {column} is null";

    public static final String FORBID_NULLS = "alter table {table} alter column {column} set not null";

    static final String EXACT_POSTGRESQL = "alter table {table} alter column {column} type text collate \"C\"";

    static final String UNPAD_POSTGRESQL = "alter table {table} alter column {column} type {type}";

    static final String EXACT_MARIADB =
            "alter table {table} convert to character set utf8mb4 collate " + MariaDbLayoutSql.COLLATION;

    static final String EXACT_H2 = "alter table {table} alter column {column} set data type varchar_casesensitive";

    static final String CASE_COUNTS_H2 = "set ignorecase false";
}
