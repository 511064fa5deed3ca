package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.SessionSettings;
import dev.waybill.jdbc.layout.TableDialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * What differs between databases in the statements of a relay. A statement that is the same on all of them is in the class that
 * runs it.
 */
public interface RelayDialect {
    static RelayDialect of(TableDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> new PostgresRelaySql();
            case MARIADB -> new MariaDbRelaySql();
            case H2 -> new H2RelaySql();
        };
    }

    /**
     * Applies the settings that every connection needs, and remembers the previous values of all settings that a connection may
     * change.
     */
    SessionSettings prepareConnection(Connection connection) throws SQLException;

    /**
     * Makes the commits of this connection asynchronous. A mark lost in a server crash only makes an event come again, which a
     * crash can cause anyway, and waiting for the disk takes much of the time.
     */
    default List<String> commitAsynchronously() {
        return List.of();
    }

    /** Makes the commit of the current transaction synchronous. */
    default List<String> commitSynchronously() {
        return List.of();
    }

    /** Current time of the database in microseconds since 1970; it advances within a transaction. */
    String clock();

    /** The columns and parameters of {@code TablePoll}. */
    default String poll() {
        return """
                select r.epoch, r.paused, r.changes,
                       exists (select 1 from {claim} c
                                where c.outbox = ? and c.state = 'retry' and c.next_attempt_at <= ?),
                       exists (select 1 from {claim} c where c.outbox = ?),
                       {clock},
                       %s
                  from (select 1 as one) x left join {relay} r on r.name = ? and r.outbox = ?""".formatted(transactions());
    }

    /**
     * The columns of {@link #poll} about transactions: the snapshot, the number of xids assigned since, the last value of the
     * sequence that is the parameter, the id of the server's session, and whether its snapshots cannot be used. On databases
     * without such snapshots only the session has a value.
     */
    String transactions();

    /** The xid of the current transaction, which it then has; 0 where transactions have none. */
    default String transaction() {
        return "0";
    }

    /** {@code in (…)} for a parameter list of this size. */
    default String among(int size) {
        return "in (" + String.join(", ", Collections.nCopies(size, "?")) + ")";
    }

    /** Whether a list is one array parameter. */
    default boolean arrays() {
        return false;
    }

    /**
     * The order by which rows are read along an index.
     *
     * @param same the leading columns of the index, which are equal in all rows that are read
     */
    default String order(String same, String order) {
        return order;
    }

    /**
     * Whether a list can be combined with conditions on other columns of an index; otherwise only a single value can.
     */
    default boolean looksUpLists() {
        return true;
    }

    /** Whether a list of keys may be looked up by reading the whole table, locked rows included. */
    default boolean mayReadAllForLists() {
        return false;
    }

    /** Ends a subquery that must run along its index for each row instead of becoming a join. */
    default String rowByRow() {
        return "";
    }

    /**
     * Computes {@link SideRow#hash}.
     *
     * @param key the column of the key, or {@code null}
     * @param aggregateType its column, or {@code null}; then the value is a parameter
     * @param aggregateId its column
     */
    String keyHash(String key, String aggregateType, String aggregateId);

    /** Limits the time that this connection waits for a lock to one second. */
    List<String> limitLockWait();

    /** Length of a text or JSON column in bytes. */
    String length(String column);

    /** Whether a text or JSON column is too large to be read with its page. */
    default String isLarge(String column) {
        return length(column) + " > 16384";
    }

    /** A text column as the bytes that are stored, where the database may refuse to convert them. */
    default String bytes(String column) {
        return "null";
    }

    /** A column of any type as text. */
    String asText(String column);

    /**
     * Leases a row that has no side row. The primary key decides, since another process may have leased the row after the
     * statement that found it began.
     */
    String lease();

    /** Estimates the number of pending rows without counting them; read with {@link #estimated}. */
    String estimatePending();

    long estimated(ResultSet row) throws SQLException;

    /** A parameter of type text, for places where the statement does not determine the type. */
    default String textParameter() {
        return "?";
    }

    /** The sequence that numbers the rows and its cache size; no row if unknown. */
    default String sequence() {
        return "select null, 1 from (select 1 as one) x where %1$s is null and %1$s is null".formatted(textParameter());
    }
}
