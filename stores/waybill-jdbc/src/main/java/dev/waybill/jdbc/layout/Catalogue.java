package dev.waybill.jdbc.layout;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a database's catalogue says about the columns of one table. */
public final class Catalogue {
    /** The standard's, and MariaDB's. */
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

    /** Whether a key or an index makes this column unique, without another column beside it. */
    public boolean isUnique(String column) throws SQLException {
        return ask(
                        switch (dialect) {
                            case POSTGRESQL -> CatalogueSql.UNIQUE_POSTGRESQL;
                            case MARIADB -> CatalogueSql.UNIQUE_MARIADB;
                            case H2 -> CatalogueSql.UNIQUE_H2;
                        },
                        column)
                .isPresent();
    }

    /** What makes it so. */
    public String makeUnique(String column) {
        String index = "waybill_" + Integer.toHexString((table + "." + column).hashCode());
        return filled(
                CatalogueSql.MAKE_UNIQUE,
                Map.of("table", quotedTable(), "column", dialect.quote(column), "index", dialect.quote(index)));
    }

    public boolean isNullable(String column) throws SQLException {
        return ask(
                        switch (dialect) {
                            case POSTGRESQL -> CatalogueSql.NULLABLE_POSTGRESQL;
                            case MARIADB -> CatalogueSql.NULLABLE.replace("{here}", "database()");
                            case H2 -> CatalogueSql.NULLABLE.replace("{here}", "schema()");
                        },
                        column)
                .isPresent();
    }

    /** The collation of a column of text, when it takes different texts for one. */
    Optional<String> looseCollation(String column) throws SQLException {
        return ask(
                switch (dialect) {
                    case POSTGRESQL -> CatalogueSql.COLLATION_POSTGRESQL;
                    case MARIADB -> CatalogueSql.COLLATION_MARIADB;
                    case H2 -> CatalogueSql.COLLATION_H2;
                },
                column);
    }

    /** How many rows have nothing in this column, counted so far. */
    public long nulls(String column, int atMost, int seconds) throws SQLException {
        return count(in(CatalogueSql.COUNT_NULLS, column), atMost, seconds);
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
                // H2 has one for the whole session, which a pool gives to others.
                statement.setQueryTimeout(before);
            }
        }
    }

    /** How many rows have nothing in any of these columns, counted so far; nothing when that takes too long. */
    public OptionalLong anyNull(List<String> columns, int atMost, int seconds) throws SQLException {
        String any = String.join(
                " or ",
                columns.stream()
                        .map(column -> dialect.quote(column) + " is null")
                        .toList());
        String sql = filled(CatalogueSql.COUNT_ANY_NULLS, Map.of("table", quotedTable(), "any", any));
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

    /** In one pass: a name may look like another place. */
    private static String filled(String statement, Map<String, String> places) {
        return PLACE.matcher(statement)
                .replaceAll(found ->
                        Matcher.quoteReplacement(places.getOrDefault(found.group(1), found.group())));
    }

    private Optional<String> ask(String sql, String column) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            if (dialect == TableDialect.POSTGRESQL) {
                statement.setString(next++, quotedTable());
            } else {
                statement.setString(next++, schema.orElse(null));
                statement.setString(next++, table);
            }
            statement.setString(next, column);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
            }
        }
    }
}
