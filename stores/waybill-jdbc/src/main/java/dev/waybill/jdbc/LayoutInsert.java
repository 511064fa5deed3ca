package dev.waybill.jdbc;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.layout.KnownTimes;
import dev.waybill.jdbc.layout.LayoutCheck;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Inserts events into an outbox table, many with one statement. */
final class LayoutInsert implements EventInsert {
    /** The drivers' limit is 65,535 parameters in one statement. */
    private static final int MAX_ROWS = 1_000;

    private final TableLayout layout;
    private final LayoutLimits limits;
    /** Statements of the last used database, which is nearly always the only one. */
    private volatile @Nullable LayoutInsertSql lastUsed;

    LayoutInsert(TableLayout layout) {
        this.layout = layout;
        this.limits = new LayoutLimits(layout);
    }

    @Override
    public void requireStorable(Event event) {
        limits.require(event);
    }

    /**
     * On PostgreSQL a violated constraint aborts the transaction. So a single event is inserted only if its id is absent; for
     * several events that is not possible, because some of them would be inserted.
     */
    @Override
    public void append(Connection transaction, List<Event> events) throws SQLException {
        requireDistinct(events);
        LayoutInsertSql sql = sql(transaction);
        if (events.size() == 1 && sql.hasOnConflict()) {
            if (insert(transaction, sql.ifAbsent(1), events) == 0) {
                throw duplicate(events.get(0));
            }
            return;
        }
        for (int from = 0; from < events.size(); from += MAX_ROWS) {
            List<Event> rows = events.subList(from, Math.min(events.size(), from + MAX_ROWS));
            insert(transaction, sql.orFail(rows.size()), rows);
        }
    }

    private static void requireDistinct(List<Event> events) {
        Set<String> ids = new HashSet<>();
        for (Event event : events) {
            if (!ids.add(event.id())) {
                throw duplicate(event);
            }
        }
    }

    private static DuplicateEventException duplicate(Event event) {
        return new DuplicateEventException("Could not append event " + event.id() + " (" + event.type()
                + "): an event with the same id is already there. Nothing was written; roll the transaction back, or use"
                + " appendIfAbsent if a repeat is harmless.");
    }

    @Override
    public int appendIfAbsent(Connection transaction, List<Event> events) throws SQLException {
        LayoutInsertSql sql = sql(transaction);
        int inserted = 0;
        for (int from = 0; from < events.size(); from += MAX_ROWS) {
            List<Event> rows = events.subList(from, Math.min(events.size(), from + MAX_ROWS));
            inserted += sql.hasOnConflict()
                    ? insert(transaction, sql.ifAbsent(rows.size()), rows)
                    : insertNew(transaction, sql, rows);
        }
        return inserted;
    }

    /** For databases where only the failed statement is undone: all at once, and one by one if an id already exists. */
    private int insertNew(Connection transaction, LayoutInsertSql sql, List<Event> events) throws SQLException {
        if (events.size() > 1) {
            try {
                return insert(transaction, sql.orFail(events.size()), events);
            } catch (SQLException e) {
                if (SqlFailure.of(e) != SqlFailure.DUPLICATE) {
                    throw e;
                }
            }
        }
        int inserted = 0;
        for (Event event : events) {
            inserted += insertIfNew(transaction, sql, event);
        }
        return inserted;
    }

    private int insertIfNew(Connection transaction, LayoutInsertSql sql, Event event) throws SQLException {
        try {
            return insert(transaction, sql.orFail(1), List.of(event));
        } catch (SQLException e) {
            if (SqlFailure.of(e) == SqlFailure.DUPLICATE && isThere(transaction, sql, event)) {
                return 0;
            }
            throw e;
        }
    }

    /** Another unique column may be violated: that is not a duplicate event. */
    private boolean isThere(Connection transaction, LayoutInsertSql sql, Event event) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(sql.isThere())) {
            new LayoutValues(layout, statement).bindId(event);
            try (var row = statement.executeQuery()) {
                // A case-insensitive collation may find a different id: that is not a duplicate either.
                return row.next()
                        && (layout.idKind() != TableLayout.IdKind.TEXT
                                || event.id().equals(row.getString(1)));
            }
        }
    }

    private int insert(Connection transaction, String sql, List<Event> rows) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(sql)) {
            LayoutValues values = new LayoutValues(layout, statement);
            for (Event event : rows) {
                values.bind(event);
            }
            return statement.executeUpdate();
        }
    }

    private LayoutInsertSql sql(Connection transaction) throws SQLException {
        TableDialect dialect = TableDialect.of(transaction);
        @Nullable LayoutInsertSql sql = lastUsed;
        if (sql == null || sql.dialect() != dialect) {
            Optional<TableLayout> known = KnownTimes.of(transaction, layout);
            LayoutCheck.requireZone(known.orElse(layout), dialect);
            sql = new LayoutInsertSql(known.orElse(layout), dialect);
            lastUsed = known.isPresent() ? sql : null;
        }
        return sql;
    }
}
