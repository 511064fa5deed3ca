package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.support.StoreClock;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One epoch of the only relay of an outbox table, in order. No transaction and no lock is held between calls. Only this session
 * knows what is in flight; a successor claims it again.
 *
 * <p>Published batches may be marked beside a claim, over another connection ({@link #besideClaims}). What a claim must know of that
 * waits until the next one begins: the page of a claim in progress may have been read before the mark.
 */
final class TableSession implements RelaySession {
    private static final Logger log = LoggerFactory.getLogger(TableSession.class);

    /** Pages read in one claim. After that, a batch without events gives the relay a turn. */
    private static final int MAX_PAGES = 4;

    /** With as many published rows that are locked, so that they cannot be marked, nothing more is claimed. */
    private static final int MOST_UNMARKED = 10_000;

    /** Trying to mark locked rows takes at most one part of so many of the time. */
    private static final int MARKING_SHARE = 10;

    private final TableLease lease;
    private final TableConnection connection;
    private final TableCursor cursor;
    private final DueRows dueRows;
    private final SettlementWriter writer;
    /** On PostgreSQL: elsewhere a mark may read, and lock, rows that a claim reads. */
    private final Optional<SecondWriter> second;

    private final Sweep sweep;
    private final EventGuard guard;
    private final RowsInFlight inFlight = new RowsInFlight();
    private final PollSource polls;
    private final SessionSteps steps;
    /** Held by claims, and by settlements that a claim must not see halfway. */
    private final ReentrantLock claiming = new ReentrantLock();
    /** What has been marked since the last claim began. */
    private final Queue<Marked> marked = new ConcurrentLinkedQueue<>();

    private final StoreClock clock;
    private final LongSupplier nanoTime;
    private long marksLockedAt;
    private boolean waitedForLocks;
    /**
     * A key was opened other than by a settlement. Batches in flight may have events that will go behind the one that closed it, so
     * nothing is claimed before they are settled: it could overtake those.
     */
    private boolean settlesFirst;

    private record Marked(TableBatch batch, SettlementWriter.Written written) {}

    /** @param opening opens further connections to the same table */
    TableSession(TableLease lease, TableConnection connection, SecondWriter.Opening opening, SessionOptions options)
            throws SQLException {
        this.lease = lease;
        this.connection = connection;
        this.writer = new SettlementWriter(lease, connection, options);
        this.second = connection.dialect() == TableDialect.POSTGRESQL
                ? ServerProcess.of(connection).map(own -> new SecondWriter(lease, own, opening, options))
                : Optional.empty();
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), connection::failedHere);
        this.polls = new PollSource(connection, lease, options);
        this.cursor = new TableCursor(connection, polls.lookBack(), inFlight);
        this.dueRows = new DueRows(connection, lease, options);
        this.guard = EventGuard.of(connection, options);
        this.clock = options.clock();
        this.nanoTime = options.nanoTime();
        this.marksLockedAt = nanoTime.getAsLong();
        this.sweep = new Sweep(connection, lease, nanoTime);
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
        claiming.lock();
        try {
            return claimAlone(max);
        } finally {
            claiming.unlock();
        }
    }

    private Optional<Batch> claimAlone(Limits max) {
        return steps.run("claiming", () -> {
            takeInMarked();
            second.ifPresent(SecondWriter::closeIfIdle);
            if (nanoTime.getAsLong() - marksLockedAt >= 0) {
                markUnlocked();
            }
            Sweep.Found swept = sweep.step(cursor.reached(), inFlight);
            swept.passed().ifPresent(cursor::goBackTo);
            opened(swept.opened());
            for (int page = 0; page < MAX_PAGES; page++) {
                TableCursor.Page read = cursor.read(max);
                TablePoll poll = polls.take();
                cursor.lookBack(poll, read);
                if (polls.changedByOperator()) {
                    cursor.goBackToStart();
                    settlesFirst = true;
                }
                if (poll.paused() || (settlesFirst && !inFlight.isEmpty()) || waitsForLocks()) {
                    return Optional.empty();
                }
                settlesFirst = false;
                if (!polls.changedByOperator()) {
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

    private boolean waitsForLocks() {
        boolean waits = inFlight.countUnmarked() >= MOST_UNMARKED;
        if (waits && !waitedForLocks) {
            log.warn(
                    "Relay {}: claims nothing more until some of {} published rows, which others have locked, can be marked. Look for"
                            + " a transaction that stays open.",
                    lease.relay(),
                    inFlight.countUnmarked());
        }
        waitedForLocks = waits;
        return waits;
    }

    /** Only one batch of retries is in flight, since the next one could contain the same rows. */
    private Optional<Batch> claimDue(Limits max, TablePoll poll) throws SQLException {
        if (inFlight.anyRetries()) {
            return Optional.empty();
        }
        DueRows.Found found = dueRows.find(max, inFlight);
        opened(found.gone());
        if (found.rows().isEmpty()) {
            return Optional.empty();
        }
        List<TableRow> admitted = admit(found.rows(), poll);
        if (admitted.size() < found.rows().size()) {
            // Marking the others opens their keys.
            cursor.goBackToStart();
            settlesFirst = true;
        }
        return Optional.of(inFlight.add(new TableBatch(admitted, true)));
    }

    private void opened(List<SideRow> rows) {
        rows.forEach(cursor::goBackFor);
        settlesFirst |= !rows.isEmpty();
    }

    /** @return the rows to send; those that the guard knows as published are marked at the next claim */
    private List<TableRow> admit(List<TableRow> rows, TablePoll poll) throws SQLException {
        EventGuard.Admission admission = guard.admit(rows, TableTimes.instant(poll.clock()));
        inFlight.toBeMarked(admission.published());
        return admission.toSend();
    }

    @Override
    public void settle(Batch batch, List<Settlement> ofRelay) {
        Settlement.requireAttemptsLeft(batch.events(), ofRelay);
        List<Settlement> inClaimOrder = clock.translate(ofRelay);
        steps.run("settling", () -> {
            takeInMarked();
            TableBatch settled = inFlight.takeOldest(lease.relay(), batch, inClaimOrder);
            int released = inClaimOrder.indexOf(Settlement.RELEASED);
            int count = released < 0 ? inClaimOrder.size() : released;
            takeIn(writer.write(
                    settled.rows().subList(0, count), inClaimOrder.subList(0, count), cursor.anySideRows()));
            cursor.settled(inClaimOrder);
            requireClosed(settled.rows().subList(0, count), inClaimOrder);
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
     * The relay relies on it that a failed row closes its key for what is claimed from now on. If somebody deleted or marked the row by SQL
     * before it was settled, it does not.
     */
    private void requireClosed(List<TableRow> rows, List<Settlement> settlements) throws SQLException {
        List<TableRow> closing = IntStream.range(0, rows.size())
                .filter(i -> Settlement.closesKey(settlements.get(i)))
                .mapToObj(rows::get)
                .toList();
        if (!closing.isEmpty()) {
            List<TableRow> open = cursor.withOpenKeys(closing);
            open.forEach(cursor::goBackBehind);
            settlesFirst |= !open.isEmpty();
        }
    }

    @Override
    public Optional<BesideClaims> besideClaims() {
        return second.map(writing -> batch -> published(batch, writing));
    }

    private void published(Batch batch, SecondWriter writing) {
        List<Settlement> published = Collections.nCopies(batch.events().size(), Settlement.PUBLISHED);
        if (batch instanceof TableBatch fresh && !fresh.retries() && writing.isReady()) {
            steps.run("settling", () -> {
                TableBatch settled = inFlight.takeBesideClaim(lease.relay(), batch, published);
                return marked.add(new Marked(settled, writing.write(settled.rows(), published, cursor.anySideRows())));
            });
        } else {
            // After retries, rows of their keys are read again, which a claim must not do before it knows which.
            claiming.lock();
            try {
                settle(batch, published);
            } finally {
                claiming.unlock();
            }
        }
    }

    private void takeInMarked() {
        for (Marked next = marked.poll(); next != null; next = marked.poll()) {
            inFlight.forget(next.batch());
            takeIn(next.written());
        }
    }

    private void takeIn(SettlementWriter.Written written) {
        inFlight.toBeMarked(written.unmarked());
        if (written.refused()) {
            cursor.sideRowsAdded();
        }
    }

    /** Marks published rows that were locked before, if they are free now. Their keys may be open from then on. */
    private void markUnlocked() throws SQLException {
        List<TableRow> late = inFlight.unmarked();
        if (!late.isEmpty()) {
            long began = nanoTime.getAsLong();
            SettlementWriter.Written written = writer.writeUnlocked(
                    late, Collections.nCopies(late.size(), Settlement.PUBLISHED), cursor.anySideRows());
            inFlight.marked(late);
            takeIn(written);
            late.stream().filter(row -> !inFlight.contains(row.rowId())).forEach(cursor::goBackFor);
            if (!written.unmarked().isEmpty()) {
                long ended = nanoTime.getAsLong();
                marksLockedAt = ended + MARKING_SHARE * (ended - began);
            }
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
            takeInMarked();
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
            try {
                lease.end(connection);
            } finally {
                // Last, because a successor waits for the lease: the server of this one may not answer any more.
                second.ifPresent(SecondWriter::close);
            }
        }
    }
}
