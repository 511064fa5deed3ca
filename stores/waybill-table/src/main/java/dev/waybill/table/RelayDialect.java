package dev.waybill.table;

import dev.waybill.jdbc.kernel.SessionSettings;
import dev.waybill.jdbc.layout.TableDialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** What differs between the databases in the statements of a relay over an outbox table. What every database understands stands beside its user. */
interface RelayDialect {
    static RelayDialect of(TableDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> new PostgresRelaySql();
            case MARIADB -> new MariaDbRelaySql();
            case H2 -> new H2RelaySql();
        };
    }

    /** Sets what every connection needs, and remembers what was there of all that any of them changes. */
    SessionSettings prepareConnection(Connection connection) throws SQLException;

    /**
     * From then on a transaction of this connection may be lost when the server crashes: a mark that is lost makes an event
     * come again, which crashes may do anyway, and waiting for the disk takes a good part of the time.
     */
    default List<String> markWithoutWaiting() {
        return List.of();
    }

    /** This transaction waits for the disk all the same. */
    default List<String> waitForThisOne() {
        return List.of();
    }

    /** The database's clock in microseconds since 1970, as it moves on within a transaction. */
    String clock();

    /** The columns and parameters of {@link TablePoll}. */
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
     * The columns of {@link #poll} about transactions: the snapshot, how many xids were given out since, the last value of the
     * sequence that is the parameter, the number of the server's session, and whether it gives no clean snapshots. Where the
     * database tells nothing of other transactions only the session has a value.
     */
    String transactions();

    /** {@code in (…)} for a parameter list of this size. */
    default String among(int size) {
        return "in (" + String.join(", ", Collections.nCopies(size, "?")) + ")";
    }

    /** Whether a list is one parameter, an array, whatever its size. */
    default boolean arrays() {
        return false;
    }

    /**
     * By what rows are read in their order along an index.
     *
     * @param same the columns with which the index begins, and which are the same in all rows that are read
     */
    default String order(String same, String order) {
        return order;
    }

    /** Whether a list goes together with other conditions on the columns of an index; else only a single value does. */
    default boolean looksUpLists() {
        return true;
    }

    /** Ends a subquery that is to be looked up along its index for each row, and not to become a join. */
    default String rowByRow() {
        return "";
    }

    /**
     * Computes what {@link KeyHash} does.
     *
     * @param key the column of the key, {@code null} where there is none
     * @param aggregateType its column, {@code null} where there is none; then a parameter tells it
     * @param aggregateId its column
     */
    String keyHash(String key, String aggregateType, String aggregateId);

    /** From then on this connection waits a second for a lock, and not longer: it has other things to do. */
    List<String> waitBriefly();

    /** How many bytes a text or JSON column has. */
    String length(String column);

    /** Whether a text or JSON column is too large to come along unasked. */
    default String isLarge(String column) {
        return length(column) + " > 16384";
    }

    /** A column of any type as text. */
    String asText(String column);

    /**
     * Leases a row of which the side table does not speak. Its primary key decides: another process may have leased the row since
     * the statement that found it began.
     */
    String lease();

    /** How many rows are pending, roughly, without counting them; read with {@link #estimated}. */
    String estimatePending();

    long estimated(ResultSet row) throws SQLException;

    /** A parameter of type text, where the statement does not tell its type. */
    default String textParameter() {
        return "?";
    }

    /** The sequence that numbers the table's rows, and its cache; or nothing where it cannot be told. */
    default String sequence() {
        return "select null, 1 from (select 1 as one) x where %1$s is null and %1$s is null".formatted(textParameter());
    }
}
