package dev.waybill.jdbc.layout;

import dev.waybill.jdbc.kernel.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a database's catalogue about the columns of one table. */
public final class Catalogue {
    private static final String UNIQUE_POSTGRESQL = """
            select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid
             where i.indrelid = ?::regclass and a.attname = ? and i.indisunique and i.indisvalid and i.indpred is null
               and i.indnkeyatts = 1 and i.indkey[0] = a.attnum""";

    private static final String UNIQUE_MARIADB = """
            select 1 from information_schema.statistics
             where table_schema = coalesce(?, database()) and table_name = ?
             group by index_name
            having max(non_unique) = 0 and count(*) = 1 and max(lower(column_name)) = lower(?)""";

    private static final String UNIQUE_H2 = """
            select 1 from information_schema.index_columns
             where upper(table_schema) = upper(coalesce(?, schema())) and upper(table_name) = upper(?)
             group by index_schema, index_name
            having every(is_unique) and count(*) = 1 and max(upper(column_name)) = upper(?)""";

    private static final String NULLABLE_POSTGRESQL =
            "select 1 from pg_attribute where attrelid = ?::regclass and attname = ? and not attnotnull";

    private static final String NULLABLE = """
            select 1 from information_schema.columns
             where upper(table_schema) = upper(coalesce(?, {here})) and upper(table_name) = upper(?)
               and upper(column_name) = upper(?) and is_nullable = 'YES'""";

    private static final String COLLATION_POSTGRESQL = """
            select case when t.typname = 'citext' then 'citext' else c.collname end
              from pg_attribute a
              join pg_type t on t.oid = a.atttypid
              left join pg_collation c on c.oid = a.attcollation
             where a.attrelid = ?::regclass and a.attname = ? and (t.typname = 'citext' or not c.collisdeterministic)""";

    private static final String COLLATION_MARIADB = """
            select collation_name from information_schema.columns
             where table_schema = coalesce(?, database()) and table_name = ? and lower(column_name) = lower(?)
               and collation_name is not null and collation_name not like '%\\_nopad\\_bin' and collation_name <> 'binary'""";

    private static final String ANY_COLLATION_MARIADB = """
            select collation_name from information_schema.columns
             where table_schema = coalesce(?, database()) and table_name = ? and lower(column_name) = lower(?)
               and collation_name is not null""";

    private static final String COLLATION_H2 = """
            select data_type from information_schema.columns
             where upper(table_schema) = upper(coalesce(?, schema())) and upper(table_name) = upper(?)
               and upper(column_name) = upper(?) and data_type = 'VARCHAR_IGNORECASE'""";

    private static final String INSTANTS_POSTGRESQL = """
            select case when atttypid = 'timestamptz'::regtype then 'true' else 'false' end
              from pg_attribute where attrelid = to_regclass(?) and attname = ?""";

    private static final String INSTANTS_MARIADB = """
            select case when data_type = 'timestamp' then 'true' else 'false' end
              from information_schema.columns
             where table_schema = coalesce(?, database()) and table_name = ? and lower(column_name) = lower(?)""";

    private static final String LENGTH_POSTGRESQL = """
            select atttypmod - 4 from pg_attribute
             where attrelid = to_regclass(?) and attname = ? and atttypmod > 4
               and atttypid in ('varchar'::regtype, 'bpchar'::regtype)""";

    /** Types such as tinytext count bytes, of which a character has up to four. */
    private static final String LENGTH_MARIADB = """
            select least(case when data_type like '%text' then floor(character_maximum_length / 4)
                              else character_maximum_length end, 1000000)
              from information_schema.columns
             where table_schema = coalesce(?, database()) and table_name = ? and lower(column_name) = lower(?)
               and character_maximum_length is not null""";

    private static final String TEXT_POSTGRESQL = """
            select 1 from pg_attribute
             where attrelid = to_regclass(?) and attname = ? and atttypid in ('varchar'::regtype, 'text'::regtype)""";

    /** Types for bytes have no collation. */
    private static final String TEXT_MARIADB = """
            select 1 from information_schema.columns
             where table_schema = coalesce(?, database()) and table_name = ? and lower(column_name) = lower(?)
               and collation_name is not null and data_type in ('char', 'varchar', 'text', 'mediumtext', 'longtext')""";

    /** H2 would read the columns of all tables in its catalogue. */
    private static final String NO_ROWS_H2 = "select {column} from {table} where 1 = 0";

    private static final Set<String> NO_SUCH_COLUMN_H2 = Set.of("42S02", "42S03", "42S04", "42S22", "90079");

    private static final String MAKE_UNIQUE = "create unique index {index} on {table} ({column})";

    private static final String COUNT_NULLS =
            "select count(*) from (select 1 from {table} where {column} is null limit ?) x";

    private static final String COUNT_ANY_NULLS = "select count(*) from (select 1 from {table} where {any} limit ?) x";

    private static final String COUNT_LONGER =
            "select count(*) from (select 1 from {table} where char_length({column}) > {length} limit ?) x";

    /** Quotes of the standard and of MariaDB. */
    private static final Set<String> TIMEOUTS = Set.of("57014", "70100");

    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

    private final Connection connection;
    private final TableDialect dialect;
    private final Optional<String> schema;
    private final String table;

    public Catalogue(Connection connection, Optional<String> schema, String table) throws SQLException {
        this.connection = connection;
        this.dialect = TableDialect.of(connection);
        this.schema = schema;
        this.table = table;
    }

    public static Catalogue of(Connection connection, TableLayout layout) throws SQLException {
        return new Catalogue(connection, layout.schema(), layout.table());
    }

    /** The table's name as part of a statement. */
    String quotedTable() {
        return schema.map(name -> dialect.quote(name) + ".").orElse("") + dialect.quote(table);
    }

    /** Whether a key or an index makes this column alone unique. */
    public boolean isUnique(String column) throws SQLException {
        return ask(
                        switch (dialect) {
                            case POSTGRESQL -> UNIQUE_POSTGRESQL;
                            case MARIADB -> UNIQUE_MARIADB;
                            case H2 -> UNIQUE_H2;
                        },
                        column)
                .isPresent();
    }

    /** The statement that makes the column unique. */
    public String makeUnique(String column) {
        String index = "waybill_" + Integer.toHexString((table + "." + column).hashCode());
        return filled(
                MAKE_UNIQUE,
                Map.of("table", quotedTable(), "column", dialect.quote(column), "index", dialect.quote(index)));
    }

    /** The statement that adds a column which numbers the rows, also for writers that do not know of it. */
    public String addSequence(String column) {
        String definition = switch (dialect) {
            case POSTGRESQL -> "bigint generated always as identity unique";
            case MARIADB -> "bigint not null auto_increment unique invisible";
            case H2 -> "bigint generated always as identity unique";
        };
        return filled(
                "alter table {table} add column {column} " + definition,
                Map.of("table", quotedTable(), "column", dialect.quote(column)));
    }

    public boolean isNullable(String column) throws SQLException {
        return ask(
                        switch (dialect) {
                            case POSTGRESQL -> NULLABLE_POSTGRESQL;
                            case MARIADB -> NULLABLE.replace("{here}", "database()");
                            case H2 -> NULLABLE.replace("{here}", "schema()");
                        },
                        column)
                .isPresent();
    }

    /** The collation of a text column on MariaDB, whose name begins with that of the character set. */
    public Optional<String> mariaDbCollation(String column) throws SQLException {
        return dialect == TableDialect.MARIADB ? ask(ANY_COLLATION_MARIADB, column) : Optional.empty();
    }

    /** The collation of a text column, if it treats different texts as equal. */
    public Optional<String> looseCollation(String column) throws SQLException {
        return ask(
                switch (dialect) {
                    case POSTGRESQL -> COLLATION_POSTGRESQL;
                    case MARIADB -> COLLATION_MARIADB;
                    case H2 -> COLLATION_H2;
                },
                column);
    }

    /**
     * Whether a time column has a type for instants: timestamp with time zone on PostgreSQL and H2, timestamp on MariaDB. Needs no
     * privilege to read the table, except on H2. Empty if there is no such column.
     */
    Optional<Boolean> holdsInstants(String column) throws SQLException {
        return switch (dialect) {
            case POSTGRESQL -> ask(INSTANTS_POSTGRESQL, column).map(Boolean::valueOf);
            case MARIADB -> ask(INSTANTS_MARIADB, column).map(Boolean::valueOf);
            case H2 -> ofColumnInH2(column, types -> types.getColumnTypeName(1).endsWith(" WITH TIME ZONE"));
        };
    }

    /** What the metadata of a result with one column tells. */
    private interface OfColumn<R> {
        R read(ResultSetMetaData types) throws SQLException;
    }

    private <R> Optional<R> ofColumnInH2(String column, OfColumn<R> wanted) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(in(NO_ROWS_H2, column));
                ResultSet nothing = statement.executeQuery()) {
            return Optional.of(wanted.read(nothing.getMetaData()));
        } catch (SQLException e) {
            if (NO_SUCH_COLUMN_H2.contains(String.valueOf(e.getSQLState()))) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Whether a column has a type for texts that keeps them as they are. */
    public boolean isText(String column) throws SQLException {
        return switch (dialect) {
            case POSTGRESQL -> ask(TEXT_POSTGRESQL, column).isPresent();
            case MARIADB -> ask(TEXT_MARIADB, column).isPresent();
            case H2 ->
                ofColumnInH2(column, types -> types.getColumnType(1) == Types.VARCHAR)
                        .orElse(false);
        };
    }

    /** The statement that makes a column a text of this length. */
    public String toText(String column, int length) {
        String change = switch (dialect) {
            case POSTGRESQL -> "alter column {column} type varchar(" + length + ")";
            case MARIADB ->
                "modify {column} varchar(" + length + ") character set utf8mb4 collate " + MariaDbLayoutSql.COLLATION
                        + " not null";
            case H2 -> "alter column {column} set data type varchar(" + length + ")";
        };
        return in("alter table {table} " + change, column);
    }

    /** Most characters that a text column can hold; empty if there is no such column or no limit. */
    public Optional<Integer> textLength(String column) throws SQLException {
        return switch (dialect) {
            case POSTGRESQL -> ask(LENGTH_POSTGRESQL, column).map(Integer::valueOf);
            case MARIADB -> ask(LENGTH_MARIADB, column).map(Integer::valueOf);
            case H2 -> ofColumnInH2(column, types -> types.getPrecision(1));
        };
    }

    /** Number of rows with null in this column, counted up to a limit. */
    public long nulls(String column, int atMost, int seconds) throws SQLException {
        return count(in(COUNT_NULLS, column), atMost, seconds);
    }

    private long count(String sql, int atMost, int seconds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int before = statement.getQueryTimeout();
            statement.setQueryTimeout(seconds);
            statement.setInt(1, atMost);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            } finally {
                // H2's timeout applies to the whole session, which a pool lends to others.
                statement.setQueryTimeout(before);
            }
        }
    }

    /** Number of rows with null in any of these columns, counted up to a limit; empty if that takes too long. */
    public OptionalLong anyNull(List<String> columns, int atMost, int seconds) throws SQLException {
        String any = String.join(
                " or ",
                columns.stream()
                        .map(column -> dialect.quote(column) + " is null")
                        .toList());
        return countInTime(filled(COUNT_ANY_NULLS, Map.of("table", quotedTable(), "any", any)), atMost, seconds);
    }

    /** Number of rows with a longer text in this column, counted up to a limit; empty if that takes too long. */
    public OptionalLong longer(String column, int length, int atMost, int seconds) throws SQLException {
        return countInTime(in(COUNT_LONGER.replace("{length}", String.valueOf(length)), column), atMost, seconds);
    }

    private OptionalLong countInTime(String sql, int atMost, int seconds) throws SQLException {
        try {
            return OptionalLong.of(count(sql, atMost, seconds));
        } catch (SQLException e) {
            if (e instanceof SQLTimeoutException || TIMEOUTS.contains(String.valueOf(e.getSQLState()))) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    /** A statement about this table and column. */
    public String in(String statement, String column) {
        return filled(statement, Map.of("table", quotedTable(), "column", dialect.quote(column)));
    }

    /** In one pass, because a name may look like a placeholder. */
    private static String filled(String statement, Map<String, String> places) {
        return PLACE.matcher(statement)
                .replaceAll(found -> Matcher.quoteReplacement(places.getOrDefault(found.group(1), found.group())));
    }

    private Optional<String> ask(String sql, String column) throws SQLException {
        Statements statements = Statements.on(connection);
        return dialect == TableDialect.POSTGRESQL
                ? statements.first(sql, row -> row.getString(1), quotedTable(), column)
                : statements.first(sql, row -> row.getString(1), schema.orElse(null), table, column);
    }
}
