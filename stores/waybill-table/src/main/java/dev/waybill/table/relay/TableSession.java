package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One epoch of the only relay of an outbox table, in order. No transaction and no lock is held between calls. Only this session
 * knows what is in flight; a successor claims it again.
 */
final class TableSession implements RelaySession {
    private static final Logger log = LoggerFactory.getLogger(TableSession.class);

    /** Pages read in one claim. After that, a batch without events gives the relay a turn. */
    private static final int MAX_PAGES = 4;

    private final TableLease lease;
    private final TableConnection connection;
    private final TableCursor cursor;
    private final DueRows dueRows;
    private final TableSettling settling;
    private final Sweep sweep;
    private final EventGuard guard;
    private final RowsInFlight inFlight = new RowsInFlight();
    private final PollSource polls;
    private final SessionSteps steps;

    TableSession(TableLease lease, TableConnection connection, SessionOptions options) throws SQLException {
        connection.execute(connection.relayDialect().commitAsynchronously());
        connection.execute(connection.relayDialect().limitLockWait());
        this.lease = lease;
        this.connection = connection;
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), TableConnection::failed);
        this.polls = new PollSource(connection, lease, options);
        this.cursor = new TableCursor(connection, polls.lookBack(), inFlight);
        this.dueRows = new DueRows(connection, lease, options);
        this.settling = new TableSettling(connection, options);
        this.guard = EventGuard.of(connection, options);
        this.sweep = new Sweep(connection, lease, options.nanoTime());
        sweep.forgetExpiredLeases();
    }

    @Override
    public long epoch() {
        return lease.epoch();
    }

    @Override
    public boolean renew() {
        return lease.renew();
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        return steps.run("claiming", () -> {
            markUnlocked();
            sweep.step(cursor.reached(), inFlight).ifPresent(cursor::goBackTo);
            for (int page = 0; page < MAX_PAGES; page++) {
                TableCursor.Page read = cursor.read(max);
                TablePoll poll = polls.take();
                cursor.lookBack(poll, read);
                if (poll.paused()) {
                    return Optional.empty();
                }
                if (polls.changedByOperator()) {
                    cursor.goBackTo(TablePosition.START);
                } else {
                    Optional<Batch> batch = poll.due() ? claimDue(max, poll) : Optional.empty();
                    if (batch.isPresent()) {
                        return batch;
                    }
                    if (read.valid()) {
                        List<TableRow> rows = cursor.accept(read);
                        if (!rows.isEmpty()) {
                            return Optional.of(inFlight.add(new TableBatch(admit(rows, poll), false)));
                        }
                        if (!read.full()) {
                            return Optional.empty();
                        }
                    }
                }
            }
            return Optional.of(inFlight.add(new TableBatch(List.of(), false)));
        });
    }

    /** Only one batch of retries is in flight, since the next one could contain the same rows. */
    private Optional<Batch> claimDue(Limits max, TablePoll poll) throws SQLException {
        if (inFlight.anyRetries()) {
            return Optional.empty();
        }
        DueRows.Found found = dueRows.find(max, inFlight);
        found.gone().ifPresent(cursor::goBackTo);
        if (found.rows().isEmpty()) {
            return Optional.empty();
        }
        List<TableRow> admitted = admit(found.rows(), poll);
        if (admitted.size() < found.rows().size()) {
            cursor.goBackTo(TablePosition.START);
        }
        return Optional.of(inFlight.add(new TableBatch(admitted, true)));
    }

    /** @return the rows to send; those that the guard knows as published are marked at the next claim */
    private List<TableRow> admit(List<TableRow> rows, TablePoll poll) throws SQLException {
        EventGuard.Admission admission = guard.admit(rows, TableTimes.instant(poll.clock()));
        inFlight.toBeMarked(admission.published());
        return admission.toSend();
    }

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        steps.run("settling", () -> {
            TableBatch settled = inFlight.takeOldest(lease.relay(), batch, inClaimOrder);
            int released = inClaimOrder.indexOf(Settlement.RELEASED);
            int count = released < 0 ? inClaimOrder.size() : released;
            inFlight.toBeMarked(write(settled.rows().subList(0, count), inClaimOrder.subList(0, count)));
            cursor.settled(inClaimOrder);
            for (int i = 0; i < settled.rows().size(); i++) {
                if (i >= count || leavesRowsBehind(settled, inClaimOrder.get(i))) {
                    cursor.goBackFor(settled.rows().get(i));
                }
            }
            if (released >= 0) {
                inFlight.takeAll().forEach(row -> cursor.goBackTo(row.position().before()));
            }
            return count;
        });
    }

    /**
     * Waits briefly for rows that somebody else has locked, then settles the others.
     *
     * @return the published rows that could not be marked
     */
    private List<TableRow> write(List<TableRow> rows, List<Settlement> settlements) throws SQLException {
        try {
            return connection.inTransaction(() -> {
                settling.settle(lease.fence(connection), rows, settlements, cursor.anySideRows());
                return List.of();
            });
        } catch (SQLException e) {
            if (SqlFailure.of(e) != SqlFailure.CONFLICT && !RowByRow.isRefusal(e)) {
                throw e;
            }
            return writeUnlocked(rows, settlements);
        }
    }

    private List<TableRow> writeUnlocked(List<TableRow> rows, List<Settlement> settlements) throws SQLException {
        try {
            return writeUnlocked(rows, settlements, false);
        } catch (SQLException e) {
            if (!RowByRow.isRefusal(e)) {
                throw e;
            }
            List<TableRow> locked = writeUnlocked(rows, settlements, true);
            cursor.sideRowsAdded();
            return locked;
        }
    }

    private List<TableRow> writeUnlocked(List<TableRow> rows, List<Settlement> settlements, boolean each)
            throws SQLException {
        return connection.retryOnConflict(
                () -> settling.settleUnlocked(lease.fence(connection), rows, settlements, cursor.anySideRows(), each));
    }

    /** Marks published rows that were locked before, if they are free now. */
    private void markUnlocked() throws SQLException {
        List<TableRow> late = inFlight.unmarked();
        if (!late.isEmpty()) {
            List<TableRow> locked = writeUnlocked(late, Collections.nCopies(late.size(), Settlement.PUBLISHED));
            cursor.settled(List.of());
            inFlight.marked(late);
            inFlight.toBeMarked(locked);
        }
    }

    /** Rows behind others are to be read again, and so are rows after a retry if its key is open now. */
    private static boolean leavesRowsBehind(TableBatch batch, Settlement settlement) {
        return settlement instanceof Settlement.Behind
                || (batch.retries() && !(settlement instanceof Settlement.RetryAt));
    }

    @Override
    public void close() {
        try {
            if (!steps.failed() && !inFlight.unmarked().isEmpty()) {
                markUnlocked();
            }
        } catch (SQLException | RuntimeException e) {
            log.warn(
                    "Relay {}: {} published rows are locked and could not be marked ({}); they will be published"
                            + " again.",
                    lease.relay(),
                    inFlight.unmarked().size(),
                    e.getMessage());
        } finally {
            lease.end(connection);
        }
    }
}
