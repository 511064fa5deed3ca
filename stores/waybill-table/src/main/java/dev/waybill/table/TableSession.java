package dev.waybill.table;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One epoch of the one relay of an outbox table, in order. No transaction and no lock is held between its calls: what is out is
 * known to this session only, and whoever takes over gives it out again.
 */
final class TableSession implements RelaySession {
    private static final Logger log = LoggerFactory.getLogger(TableSession.class);

    /** So many pages are read for one claim; then a batch without events gives the relay a turn. */
    private static final int MOST_PAGES = 4;

    private final TableLease lease;
    private final TableConnection connection;
    private final TableCursor cursor;
    private final DueRows dueRows;
    private final TableSettling settling;
    private final Sweep sweep;
    private final EventGuard guard;
    private final OutRows out = new OutRows();
    private final PollSource polls;
    private final SessionSteps steps;

    TableSession(TableLease lease, TableConnection connection, TableOptions options) throws SQLException {
        connection.execute(connection.dialectSql().markWithoutWaiting());
        connection.execute(connection.dialectSql().waitBriefly());
        this.lease = lease;
        this.connection = connection;
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), TableConnection::failed);
        this.polls = new PollSource(connection, lease, options);
        this.cursor = new TableCursor(connection, polls.lookBack(), out);
        this.dueRows = new DueRows(connection, lease, options);
        this.settling = new TableSettling(connection, options);
        this.guard = EventGuard.of(connection, options);
        this.sweep = new Sweep(connection, lease, options.nanoTime());
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
            markLate();
            sweep.step(cursor.reached(), out).ifPresent(cursor::goBackTo);
            for (int page = 0; page < MOST_PAGES; page++) {
                TableCursor.Page read = cursor.read(max);
                TablePoll poll = polls.take();
                cursor.lookBack(poll, read);
                if (poll.paused()) {
                    return Optional.empty();
                }
                if (polls.peopleChangedSomething()) {
                    cursor.goBackTo(TablePosition.START);
                } else {
                    Optional<Batch> batch = poll.due() ? claimDue(max, poll) : Optional.empty();
                    if (batch.isPresent()) {
                        return batch;
                    }
                    if (read.stands()) {
                        List<TableRow> rows = cursor.accept(read);
                        if (!rows.isEmpty()) {
                            List<TableRow> admitted = guard.admit(rows, TableTimes.instant(poll.clock()));
                            return Optional.of(out.give(new TableBatch(admitted, false)));
                        }
                        if (!read.full()) {
                            return Optional.empty();
                        }
                    }
                }
            }
            return Optional.of(out.give(new TableBatch(List.of(), false)));
        });
    }

    /** One batch of retries is out at a time: the next could bring the same ones again. */
    private Optional<Batch> claimDue(Limits max, TablePoll poll) throws SQLException {
        if (out.anyRetries()) {
            return Optional.empty();
        }
        DueRows.Found found = dueRows.find(max, out);
        found.gone().ifPresent(cursor::goBackTo);
        if (found.rows().isEmpty()) {
            return Optional.empty();
        }
        List<TableRow> admitted = guard.admit(found.rows(), TableTimes.instant(poll.clock()));
        if (admitted.size() < found.rows().size()) {
            cursor.goBackTo(TablePosition.START);
        }
        return Optional.of(out.give(new TableBatch(admitted, true)));
    }

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        steps.run("settling", () -> {
            TableBatch settled = out.takeOldest(lease.relay(), batch, inClaimOrder);
            int released = inClaimOrder.indexOf(Settlement.RELEASED);
            int count = released < 0 ? inClaimOrder.size() : released;
            out.toBeMarked(write(settled.rows().subList(0, count), inClaimOrder.subList(0, count)));
            cursor.settled(inClaimOrder);
            for (int i = 0; i < settled.rows().size(); i++) {
                if (i >= count || leavesRowsBehind(settled, inClaimOrder.get(i))) {
                    cursor.goBackFor(settled.rows().get(i));
                }
            }
            if (released >= 0) {
                out.takeAll().forEach(row -> cursor.goBackTo(row.position().before()));
            }
            return count;
        });
    }

    /**
     * Waits briefly for rows that somebody else has locked, and then goes without them.
     *
     * @return those that are published and could not be marked
     */
    private List<TableRow> write(List<TableRow> rows, List<Settlement> settlements) throws SQLException {
        try {
            return connection.inTransaction(
                    () -> settling.settle(lease.fence(connection), rows, settlements, cursor.anySideRows()));
        } catch (SQLException e) {
            if (SqlFailure.of(e) != SqlFailure.CONFLICT) {
                throw e;
            }
            return writeFree(rows, settlements);
        }
    }

    private List<TableRow> writeFree(List<TableRow> rows, List<Settlement> settlements) throws SQLException {
        return connection.insist(
                () -> settling.settleFree(lease.fence(connection), rows, settlements, cursor.anySideRows()));
    }

    /** Marks what was locked when it was to be marked, as far as it is free now. */
    private void markLate() throws SQLException {
        List<TableRow> late = out.unmarked();
        if (!late.isEmpty()) {
            List<TableRow> locked = writeFree(late, Collections.nCopies(late.size(), Settlement.PUBLISHED));
            cursor.settled(List.of());
            out.marked(late);
            out.toBeMarked(locked);
        }
    }

    /** What went behind is to be read again; and so is what followed a retry, if its key is open now. */
    private static boolean leavesRowsBehind(TableBatch batch, Settlement settlement) {
        return settlement instanceof Settlement.Behind
                || (batch.retries() && !(settlement instanceof Settlement.RetryAt));
    }

    @Override
    public void close() {
        try {
            if (!steps.failed() && !out.unmarked().isEmpty()) {
                markLate();
            }
        } catch (SQLException | RuntimeException e) {
            log.warn(
                    "Relay {}: {} published rows are locked by somebody and could not be marked ({}); they are published"
                            + " again.",
                    lease.relay(),
                    out.unmarked().size(),
                    e.getMessage());
        } finally {
            lease.giveBack(connection, log);
        }
    }
}
