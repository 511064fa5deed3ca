package dev.waybill.jdbc;

import dev.waybill.AppendException;
import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.Outbox;
import dev.waybill.WakeSignal;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Appends events over the connection of the application's transaction. Safe for use by many threads.
 *
 * <p>Lock the aggregate's row before appending: then its events are published in the order of its changes.
 */
public final class JdbcOutbox implements Outbox<Connection> {
    private static final String LOCK_KEYS = "select pg_advisory_xact_lock(k) from unnest(?::bigint[]) k";

    private final EventInsert insert;
    private final OutboxOptions options;

    private JdbcOutbox(EventInsert insert, OutboxOptions options) {
        this.insert = insert;
        this.options = options;
    }

    /** Appends to the PostgreSQL journal. */
    public static JdbcOutbox journal() {
        return journal(OutboxOptions.defaults());
    }

    public static JdbcOutbox journal(OutboxOptions options) {
        return new JdbcOutbox(new JournalInsert(), options);
    }

    /** Appends to a table of this layout, on the database of the connection. */
    public static JdbcOutbox table(TableLayout layout) {
        return table(layout, OutboxOptions.defaults());
    }

    public static JdbcOutbox table(TableLayout layout, OutboxOptions options) {
        return new JdbcOutbox(new LayoutInsert(layout), options);
    }

    @Override
    public void append(Connection transaction, List<Event> events) {
        insert(transaction, events, () -> {
            insert.append(transaction, events);
            return events.size();
        });
    }

    @Override
    public int appendIfAbsent(Connection transaction, List<Event> events) {
        return insert(transaction, events, () -> insert.appendIfAbsent(transaction, events));
    }

    private interface Rows {
        int insert() throws SQLException;
    }

    private int insert(Connection transaction, List<Event> events, Rows rows) {
        if (events.isEmpty()) {
            return 0;
        }
        requireStorable(events);
        try {
            requireTransaction(transaction);
            if (options.lockKeys()) {
                lockKeys(transaction, events);
            }
            int inserted = rows.insert();
            options.wake().ifPresent(WakeSignal::raise);
            return inserted;
        } catch (SQLException e) {
            throw failed(events, ServerError.withoutRows(e));
        }
    }

    /**
     * Checks events without a database, as an append does first.
     *
     * @throws InvalidEventException if one of them cannot be stored; the message names the remedy
     */
    public void requireStorable(List<Event> events) {
        events.forEach(insert::requireStorable);
        options.requireSize(events);
    }

    private static void requireTransaction(Connection transaction) throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new NoTransactionException(
                    "The connection is in autocommit, so the event would be committed without your"
                            + " data. Call setAutoCommit(false), change your data and append on the same connection, then commit.");
        }
    }

    /** Sorted, so that two appends never deadlock. A separate statement, so that the insert sees what it waited for. */
    private static void lockKeys(Connection transaction, List<Event> events) throws SQLException {
        if (TableDialect.of(transaction) != TableDialect.POSTGRESQL) {
            throw new InvalidEventException(
                    "OutboxOptions.lockKeys is for PostgreSQL only: other databases have no lock"
                            + " that ends with the transaction. Lock a row of the aggregate before appending.");
        }
        Long[] locks = events.stream()
                .map(event -> JournalInsert.lockOf(event.orderKey()))
                .distinct()
                .sorted()
                .toArray(Long[]::new);
        try (PreparedStatement statement = transaction.prepareStatement(LOCK_KEYS)) {
            statement.setArray(1, transaction.createArrayOf("bigint", locks));
            statement.execute();
        }
    }

    private static AppendException failed(List<Event> events, SQLException e) {
        String which = events.size() == 1
                ? "event " + events.get(0).id() + " (" + events.get(0).type() + ")"
                : events.size() + " events, the first " + events.get(0).id();
        if (SqlFailure.of(e) == SqlFailure.DUPLICATE) {
            return new DuplicateEventException(
                    "Could not append " + which
                            + ": an event with the same id is already there. Roll the transaction back;"
                            + " if a repeat is harmless use appendIfAbsent.",
                    e);
        }
        return new AppendException(
                "Could not append " + which + " (SQLSTATE " + e.getSQLState() + "): " + e.getMessage()
                        + " Roll the transaction back, so that data and events stay consistent.",
                e);
    }
}
