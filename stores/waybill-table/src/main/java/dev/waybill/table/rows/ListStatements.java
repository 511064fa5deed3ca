package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.Statements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements whose last condition is {@code {among}}, a list of row ids, keys or numbers. Where the database has no array
 * parameters, a long list runs in parts, one after the other. An empty list runs nothing.
 */
public final class ListStatements {
    private final TableConnection connection;
    private final List<List<?>> parts = new ArrayList<>();

    /** @param longest most values in one statement on databases without array parameters */
    ListStatements(TableConnection connection, Collection<?> values, int longest) {
        this.connection = connection;
        List<?> all = List.copyOf(values);
        int size = connection.relayDialect().arrays() ? Math.max(1, all.size()) : longest;
        for (int from = 0; from < all.size(); from += size) {
            parts.add(all.subList(from, Math.min(all.size(), from + size)));
        }
    }

    /** @param before the arguments before the list */
    public <R> List<R> query(String text, Statements.Row<R> row, @Nullable Object... before) throws SQLException {
        List<R> found = new ArrayList<>();
        each(text, rows -> found.add(row.read(rows)), before);
        return found;
    }

    /** @param before the arguments before the list */
    public void each(String text, Statements.OnRow row, @Nullable Object... before) throws SQLException {
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
    public int update(String text, @Nullable Object... before) throws SQLException {
        int changed = 0;
        for (List<?> part : parts) {
            changed += bound(text, part, before).executeUpdate();
        }
        return changed;
    }

    /**
     * Deletes rows. A deletion that reads the whole table waits for every row that somebody else has locked, even if it is not
     * among these. Where a database may read it for a list, each value has a statement of its own: those of rows that are free in
     * one batch, after the others, which fail if a lock is not released in time.
     *
     * @param column the column of the list
     * @param text begins with {@code delete from}
     * @return how many rows were deleted
     */
    public int delete(String column, String text) throws SQLException {
        if (!connection.relayDialect().mayReadAllForLists()) {
            return update(text);
        }
        Set<String> free = new HashSet<>(query(
                text.replaceFirst("^delete from", "select " + Matcher.quoteReplacement(column) + " from")
                        + TableReader.FOR_UPDATE_OF_FREE,
                row -> row.getString(1)));
        PreparedStatement one = connection.prepare(connection.text().among(text, 1));
        List<Object> inBatch = new ArrayList<>();
        int deleted = 0;
        for (List<?> part : parts) {
            for (Object value : part) {
                if (free.contains(value.toString())) {
                    inBatch.add(value);
                } else {
                    one.setObject(1, value);
                    deleted += one.executeUpdate();
                }
            }
        }
        for (Object value : inBatch) {
            one.setObject(1, value);
            one.addBatch();
        }
        // A negative count means that the row count is unknown.
        return deleted
                + Arrays.stream(inBatch.isEmpty() ? new int[0] : one.executeBatch())
                        .map(count -> count < 0 ? 1 : count)
                        .sum();
    }

    /** A list that is not an array is padded with its last value, so that few different statements are prepared. */
    private PreparedStatement bound(String text, List<?> part, @Nullable Object... before) throws SQLException {
        boolean arrays = connection.relayDialect().arrays();
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
