package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.spi.Printable;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.RowUpdate;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableText;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles rows one by one, each under a savepoint, after the database refused to settle a batch because of a value or a
 * constraint. Such a row must not keep the others from being settled, or they would be sent again for ever. It is recorded in the
 * first of several ways that the database accepts: as waiting, if it is to be retried, otherwise as dead.
 */
final class RowByRow {
    private static final Logger log = LoggerFactory.getLogger(RowByRow.class);
    private static final int LOGGED_ID_LENGTH = 100;

    /** SQLSTATE classes: of values, of constraints, of errors that SQL code signals, and of PL/pgSQL, such as a raised exception. */
    private static final Set<String> REFUSALS = Set.of("22", "23", "45", "P0");

    private static final String OF_VALUES = "22";

    /** MariaDB's errors about values that have an SQLSTATE of another class: data truncated, incorrect value. */
    private static final Set<Integer> MARIADB_REFUSALS = Set.of(1265, 1366);

    private final TableConnection connection;
    private final SideRows sideRows;
    private final EventGuard guard;

    RowByRow(TableConnection connection, EventGuard guard) {
        this.connection = connection;
        this.sideRows = new SideRows(connection);
        this.guard = guard;
    }

    /** Whether the database refused a value or a change, or a trigger did. */
    static boolean isRefusal(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return REFUSALS.stream().anyMatch(state::startsWith) || refusesValue(e);
    }

    /** Whether a column cannot hold a value. */
    static boolean refusesValue(SQLException e) {
        return String.valueOf(e.getSQLState()).startsWith(OF_VALUES) || MARIADB_REFUSALS.contains(e.getErrorCode());
    }

    /** @param outcome writes the settlement as usual */
    void settle(TableRow row, Settlement settlement, Instant now, SqlWork<?> outcome) throws SQLException {
        try {
            connection.underSavepoint(outcome);
        } catch (SQLException e) {
            if (!isRefusal(e)) {
                throw e;
            }
            String refusal = "SQLSTATE " + e.getSQLState() + ": "
                    + ServerError.withoutRows(e).getMessage();
            String id = row.rowId();
            log.warn(
                    "The outcome of the row {} of {} cannot be written ({}). It is recorded {}.",
                    Printable.of(id.length() > LOGGED_ID_LENGTH ? id.substring(0, LOGGED_ID_LENGTH) + "…" : id),
                    connection.layout().tableName(),
                    refusal,
                    firstAccepted(ways(row, settlement, refusal, now)));
        }
    }

    private String firstAccepted(Map<String, SqlWork<?>> ways) throws SQLException {
        for (Map.Entry<String, SqlWork<?>> way : ways.entrySet()) {
            try {
                connection.underSavepoint(way.getValue());
                return way.getKey();
            } catch (SQLException e) {
                if (!isRefusal(e)) {
                    throw e;
                }
                log.debug("Not accepted: recorded {}.", way.getKey(), ServerError.withoutRows(e));
            }
        }
        return "nowhere, and will be sent again";
    }

    private Map<String, SqlWork<?>> ways(TableRow row, Settlement settlement, String refusal, Instant now) {
        Map<String, SqlWork<?>> ways = new LinkedHashMap<>();
        int attempts = row.attempts() + (settlement instanceof Settlement.RetryAt retry && !retry.counted() ? 0 : 1);
        if (settlement instanceof Settlement.RetryAt retry) {
            SideRow waiting = SideRow.retry(row, attempts, retry.error(), TableTimes.micros(retry.at()));
            ways.put("as waiting for its retry, in waybill_claim only", () -> put(waiting));
        }
        Settlement.Dead outcome = dead(settlement, refusal);
        SideRow dead = SideRow.dead(row, attempts, outcome);
        SideRow refused = SideRow.refused(row, attempts, outcome);
        boolean hasDeadState = TableText.hasDeadState(connection.layout());
        if (hasDeadState) {
            ways.put("as dead, without its error", () -> markDead(row, now) && put(dead));
        }
        ways.put("as dead, in waybill_claim only", () -> put(refused));
        if (hasDeadState) {
            ways.put("as dead, in the table only", () -> markDead(row, now));
        }
        return ways;
    }

    private static Settlement.Dead dead(Settlement settlement, String refusal) {
        if (settlement instanceof Settlement.Dead dead) {
            return dead;
        }
        return settlement instanceof Settlement.RetryAt retry
                ? new Settlement.Dead(retry.error() + " (the retry cannot be recorded: " + refusal + ")", true, false)
                : new Settlement.Dead("Published, but the row cannot be marked: " + refusal, true, false);
    }

    private boolean put(SideRow row) throws SQLException {
        sideRows.put(List.of(row));
        return true;
    }

    private boolean markDead(TableRow row, Instant now) throws SQLException {
        List<String> id = List.of(row.rowId());
        RowUpdate.deadState(connection).to(id);
        guard.failed(id, now);
        return true;
    }
}
