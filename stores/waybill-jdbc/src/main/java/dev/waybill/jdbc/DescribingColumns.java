package dev.waybill.jdbc;

import dev.waybill.Incoming;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.kernel.Statements;
import dev.waybill.jdbc.layout.TableDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text columns {@code event_type} and {@code source} of an inbox's table, if it has them. They describe an event to a person
 * and decide nothing, so a value is shortened and changed to fit rather than refused.
 */
record DescribingColumns(List<Column> columns) {
    static final DescribingColumns NONE = new DescribingColumns(List.of());

    private static final int LONGEST = 255;
    /** A shorter column has no room for a character and the sign that something was cut off. */
    private static final int SHORTEST = 3;

    private static final String TYPE = "event_type";

    /** Without an error if the table does not exist, because that would abort the caller's transaction. */
    private static final String POSTGRESQL = """
            select a.attname, case when a.atttypmod > 4 then a.atttypmod - 4 else 255 end,
                   current_setting('server_encoding') = 'UTF8', not a.attnotnull
              from pg_attribute a join pg_type t on t.oid = a.atttypid
             where a.attrelid = to_regclass(?) and a.attname in ('event_type', 'source') and a.attgenerated = ''
               and t.typcategory = 'S' and t.typtype = 'b'
             order by a.attname""";

    private static final String MARIADB = """
            select lower(column_name), character_maximum_length, character_set_name = 'utf8mb4', is_nullable = 'YES'
              from information_schema.columns
             where table_schema = database() and table_name = ? and lower(column_name) in ('event_type', 'source')
               and is_generated = 'NEVER'
               and data_type in ('char', 'varchar', 'text', 'mediumtext', 'longtext')
             order by 1""";

    private static final String H2 = """
            select lower(column_name), character_maximum_length, true, is_nullable = 'YES'
              from information_schema.columns
             where table_schema = schema() and upper(table_name) = upper(?)
               and column_name in ('EVENT_TYPE', 'SOURCE') and is_generated = 'NEVER'
               and data_type in ('CHARACTER', 'CHARACTER VARYING', 'CHARACTER LARGE OBJECT')
             order by 1""";

    /**
     * A column that the table has.
     *
     * @param length in characters
     * @param unicode whether it can store every character
     * @param nullable otherwise it is left out where a value is unknown, so that its default applies
     */
    record Column(String name, int length, boolean unicode, boolean nullable) {
        @Nullable String valueOf(Incoming event) {
            Optional<String> value = name.equals(TYPE) ? event.eventType() : event.source();
            return value.filter(text -> !text.isBlank())
                    .map(text -> ErrorText.cut(text, length))
                    .map(text -> unicode ? paired(text) : ascii(text))
                    .orElse(null);
        }

        private static String ascii(String text) {
            return text.codePoints()
                    .mapToObj(character -> character < 128 ? Character.toString(character) : "?")
                    .collect(Collectors.joining());
        }

        /** Half of a surrogate pair cannot be encoded. */
        private static String paired(String text) {
            return text.codePoints()
                    .map(character -> Character.getType(character) == Character.SURROGATE ? '?' : character)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }
    }

    static DescribingColumns read(Connection connection, InboxLayout layout, TableDialect dialect) throws SQLException {
        String table = layout.tableName();
        Statements.Row<Column> column = row -> new Column(
                row.getString(1), (int) Math.min(row.getLong(2), LONGEST), row.getBoolean(3), row.getBoolean(4));
        Statements statements = Statements.on(connection);
        List<Column> found = switch (dialect) {
            case POSTGRESQL -> statements.query(POSTGRESQL, column, dialect.quote(table));
            case MARIADB -> statements.query(MARIADB, column, table);
            case H2 -> statements.query(H2, column, table);
        };
        return new DescribingColumns(
                found.stream().filter(each -> each.length() >= SHORTEST).toList());
    }

    /** Those that can be filled for all of these events. */
    DescribingColumns of(List<Incoming> events) {
        return new DescribingColumns(columns.stream()
                .filter(column -> column.nullable() || events.stream().allMatch(event -> column.valueOf(event) != null))
                .toList());
    }

    /** Fills the places for further columns in a statement that inserts marks. */
    String addTo(String insert) {
        return insert.replace(
                        "{more}",
                        columns.stream().map(column -> ", " + column.name()).collect(Collectors.joining()))
                .replace("{values}", ", ?".repeat(columns.size()))
                .replace("{arrays}", ", ?::text[]".repeat(columns.size()));
    }
}
