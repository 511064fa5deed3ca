package dev.waybill.jdbc.kernel;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs SQL statements, so that the text, its arguments and the reading of its rows are in one place. Arguments are bound in
 * order by their Java types; null is bound as text, and {@link SqlArgument} is for values that need an SQL type.
 */
public interface Statements {
    /** Returns the statement, ready to bind. The caller must {@link #release} it. */
    PreparedStatement prepare(String text) throws SQLException;

    /** Closes the statement, or keeps it for its next use. */
    void release(PreparedStatement statement) throws SQLException;

    /** Reads the current row. */
    interface Row<R> {
        R read(ResultSet row) throws SQLException;
    }

    /** Processes the current row. */
    interface OnRow {
        void read(ResultSet row) throws SQLException;
    }

    /** Uses a statement. */
    interface Use<R> {
        R of(PreparedStatement statement) throws SQLException;
    }

    /** Runs statements on a connection, each prepared for a single use. */
    static Statements on(Connection connection) {
        return new SingleUseStatements(connection);
    }

    /** Returns all rows, in order. */
    default <R> List<R> query(String text, Row<R> row, @Nullable Object... arguments) throws SQLException {
        List<R> found = new ArrayList<>();
        each(text, rows -> found.add(row.read(rows)), arguments);
        return found;
    }

    default void each(String text, OnRow row, @Nullable Object... arguments) throws SQLException {
        read(
                text,
                rows -> {
                    while (rows.next()) {
                        row.read(rows);
                    }
                    return text;
                },
                arguments);
    }

    /** Reads the first row of a statement that always has one. */
    default <R> R one(String text, Row<R> row, @Nullable Object... arguments) throws SQLException {
        return read(
                text,
                rows -> {
                    rows.next();
                    return row.read(rows);
                },
                arguments);
    }

    /** Reads the first row; empty if there is none, or if null is read from it. */
    default <R> Optional<R> first(String text, Row<R> row, @Nullable Object... arguments) throws SQLException {
        return read(text, rows -> rows.next() ? Optional.ofNullable(row.read(rows)) : Optional.empty(), arguments);
    }

    /** Whether the statement returns a row. */
    default boolean exists(String text, @Nullable Object... arguments) throws SQLException {
        return read(text, ResultSet::next, arguments);
    }

    /** Returns the number of changed rows. */
    default int update(String text, @Nullable Object... arguments) throws SQLException {
        return use(text, PreparedStatement::executeUpdate, arguments);
    }

    /** Runs any statement and ignores its result. */
    default void execute(String text, @Nullable Object... arguments) throws SQLException {
        use(text, PreparedStatement::execute, arguments);
    }

    /** Runs an update once for each item, in one batch. */
    default <T> void updateEach(String text, Collection<T> items, Function<T, @Nullable Object[]> arguments)
            throws SQLException {
        use(text, statement -> {
            for (T item : items) {
                bind(statement, 1, arguments.apply(item));
                statement.addBatch();
            }
            return statement.executeBatch();
        });
    }

    private <R> R read(String text, Row<R> rows, @Nullable Object... arguments) throws SQLException {
        return use(
                text,
                statement -> {
                    try (ResultSet found = statement.executeQuery()) {
                        return rows.read(found);
                    }
                },
                arguments);
    }

    private <R> R use(String text, Use<R> use, @Nullable Object... arguments) throws SQLException {
        PreparedStatement statement = prepare(text);
        R result;
        try {
            bind(statement, 1, arguments);
            result = use.of(statement);
        } catch (Throwable e) {
            try {
                release(statement);
            } catch (SQLException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
        release(statement);
        return result;
    }

    /** Returns the index of the next parameter. */
    static int bind(PreparedStatement statement, int first, @Nullable Object... arguments) throws SQLException {
        int at = first;
        for (Object argument : arguments) {
            bindOne(statement, at++, argument);
        }
        return at;
    }

    private static void bindOne(PreparedStatement statement, int at, @Nullable Object argument) throws SQLException {
        if (argument == null || argument instanceof String) {
            statement.setString(at, (String) argument);
        } else if (argument instanceof Long number) {
            statement.setLong(at, number);
        } else if (argument instanceof Integer number) {
            statement.setInt(at, number);
        } else if (argument instanceof Boolean truth) {
            statement.setBoolean(at, truth);
        } else if (argument instanceof Timestamp time) {
            statement.setTimestamp(at, time);
        } else if (argument instanceof Array array) {
            statement.setArray(at, array);
        } else if (argument instanceof SqlArgument typed) {
            typed.bind(statement, at);
        } else {
            statement.setObject(at, argument);
        }
    }
}
