package dev.waybill.table;

import dev.waybill.jdbc.kernel.Statements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements whose last condition is {@code {among}}, a list of row ids, keys or numbers. Where the database takes no arrays
 * a long list is run in parts, and their rows come one part after the other. Without values nothing is run.
 */
final class ListStatements {
    /** The most values of a list in one statement, where it is not an array. */
    private static final int LONGEST = 2_048;

    private static final int SHORT = 128;

    private final TableConnection connection;
    private final List<List<?>> parts;

    private ListStatements(TableConnection connection, List<List<?>> parts) {
        this.connection = connection;
        this.parts = parts;
    }

    static ListStatements of(TableConnection connection, Collection<?> values) {
        return inParts(connection, values, LONGEST);
    }

    static ListStatements inShortParts(TableConnection connection, Collection<?> values) {
        return inParts(connection, values, SHORT);
    }

    static ListStatements ofKeys(TableConnection connection, Collection<String> keys) {
        Collection<String> distinct = new LinkedHashSet<>(keys);
        return inParts(connection, distinct, connection.dialectSql().looksUpLists() ? LONGEST : 1);
    }

    private static ListStatements inParts(TableConnection connection, Collection<?> values, int longest) {
        List<?> all = List.copyOf(values);
        int size = connection.dialectSql().arrays() ? Math.max(1, all.size()) : longest;
        List<List<?>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            parts.add(all.subList(from, Math.min(all.size(), from + size)));
        }
        return new ListStatements(connection, parts);
    }

    /** @param before the arguments before the list */
    <R> List<R> query(String text, Statements.Row<R> row, @Nullable Object... before) throws SQLException {
        List<R> found = new ArrayList<>();
        each(text, rows -> found.add(row.read(rows)), before);
        return found;
    }

    /** @param before the arguments before the list */
    void each(String text, Statements.OnRow row, @Nullable Object... before) throws SQLException {
        for (List<?> part : parts) {
            try (ResultSet rows = bound(text, part, before).executeQuery()) {
                while (rows.next()) {
                    row.read(rows);
                }
            }
        }
    }

    /**
     * @param before the arguments before the list
     * @return how many rows were changed
     */
    int update(String text, @Nullable Object... before) throws SQLException {
        int changed = 0;
        for (List<?> part : parts) {
            changed += bound(text, part, before).executeUpdate();
        }
        return changed;
    }

    /** A list that is not an array is filled up with its last value, so that few different statements are prepared. */
    private PreparedStatement bound(String text, List<?> part, @Nullable Object... before) throws SQLException {
        boolean arrays = connection.dialectSql().arrays();
        int size = arrays ? 1 : Math.max(1, Integer.highestOneBit(2 * part.size() - 1));
        PreparedStatement statement = connection.prepare(connection.text().among(text, size));
        int at = Statements.bind(statement, 1, before);
        if (arrays) {
            statement.setArray(at, connection.array(arrayType(part.get(0)), part.toArray()));
            return statement;
        }
        for (int i = 0; i < size; i++) {
            statement.setObject(at + i, part.get(Math.min(i, part.size() - 1)));
        }
        return statement;
    }

    private static String arrayType(Object value) {
        return value instanceof UUID ? "uuid" : value instanceof Long ? "bigint" : "text";
    }
}
