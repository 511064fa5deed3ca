package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableRow;
import java.sql.SQLException;
import java.util.List;

/** Writes the outcomes of a batch over one connection, in transactions that are fenced by the lease. */
final class SettlementWriter {
    private final TableLease lease;
    private final TableConnection connection;
    private final TableSettling settling;

    /**
     * @param unmarked published rows that somebody has locked, so that they could not be marked
     * @param refused whether the database refused the outcomes of single rows
     */
    record Written(List<TableRow> unmarked, boolean refused) {
        static final Written ALL = new Written(List.of(), false);
    }

    SettlementWriter(TableLease lease, TableConnection connection, SessionOptions options) throws SQLException {
        connection.execute(connection.relayDialect().commitAsynchronously());
        connection.execute(connection.relayDialect().limitLockWait());
        this.lease = lease;
        this.connection = connection;
        this.settling = new TableSettling(connection, options);
    }

    /**
     * Waits briefly for rows that somebody else has locked, then settles the others.
     *
     * @param mayHaveSideRows whether any of the rows may have a side row
     */
    Written write(List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows) throws SQLException {
        return lease.alone(() -> writeAlone(rows, settlements, mayHaveSideRows));
    }

    private Written writeAlone(List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows)
            throws SQLException {
        try {
            return connection.inTransaction(() -> {
                settling.settle(lease.fence(connection), rows, settlements, mayHaveSideRows);
                return Written.ALL;
            });
        } catch (SQLException e) {
            if (SqlFailure.of(e) != SqlFailure.CONFLICT && !RowByRow.isRefusal(e)) {
                throw e;
            }
            return writeFree(rows, settlements, mayHaveSideRows);
        }
    }

    /** The same without waiting. */
    Written writeUnlocked(List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows)
            throws SQLException {
        return lease.alone(() -> writeFree(rows, settlements, mayHaveSideRows));
    }

    private Written writeFree(List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows)
            throws SQLException {
        try {
            return new Written(writeFree(rows, settlements, mayHaveSideRows, false), false);
        } catch (SQLException e) {
            if (!RowByRow.isRefusal(e)) {
                throw e;
            }
            return new Written(writeFree(rows, settlements, mayHaveSideRows, true), true);
        }
    }

    private List<TableRow> writeFree(
            List<TableRow> rows, List<Settlement> settlements, boolean mayHaveSideRows, boolean each)
            throws SQLException {
        return connection.retryOnConflict(
                () -> settling.settleUnlocked(lease.fence(connection), rows, settlements, mayHaveSideRows, each));
    }
}
