package dev.waybill.postgres;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One epoch of a relay over the journal: gives out pages of windows and due parked events, and moves the position as they are
 * settled. Settling writes nothing as long as all goes well, except the position now and then.
 */
final class JournalSession implements RelaySession {
    private static final Logger log = LoggerFactory.getLogger(JournalSession.class);

    /** Inside a long window the session looks so often, in pages, whether it was paused or a parked event is due. */
    private static final int PAGES_PER_POLL = 8;

    private final JournalLease lease;
    private final JournalConnection connection;
    private final JournalOptions options;
    private final Windows reader;
    private final Parking parking;
    private final GoneEvents gone;
    private final PositionSaver saver;
    private final SessionSteps steps;

    /** Batches that are out, oldest first. */
    private final Deque<JournalBatch> out = new ArrayDeque<>();
    /** Where the relay has come: the end of the last settled batch. */
    private JournalPosition settled;

    /** The end of a window that ended without a page of its own while batches before it are out. */
    private @Nullable JournalPosition emptyTail;

    /** A session may begin inside a window, and a person may have paused the relay before. */
    private int pagesSincePoll = PAGES_PER_POLL;

    private boolean paused;
    private boolean anyParked = true;
    /** A snapshot whose commits are not all on disk yet, here or on a standby; only when the session waits for that. */
    private WindowReader.@Nullable Poll unflushed;

    /** The first snapshot of the session, until it is safe. */
    private WindowReader.@Nullable Poll first;

    private boolean begun;

    /** How often a poll found that not safe yet. */
    private int waits;
    /** Whether the session has made the server flush its log since it waits. */
    private boolean flushed;

    /** @param reader stands where the relay has come */
    JournalSession(
            JournalLease lease,
            JournalConnection connection,
            JournalOptions options,
            Windows reader,
            PositionSaver saver) {
        this.lease = lease;
        this.connection = connection;
        this.options = options;
        this.reader = reader;
        this.parking = new Parking(connection, lease.relay());
        this.gone = new GoneEvents(connection, lease.relay());
        this.saver = saver;
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), JournalConnection::failed);
        this.settled = reader.position();
        lease.begin();
    }

    @Override
    public long epoch() {
        return lease.epoch();
    }

    @Override
    public boolean renew() {
        return !steps.failed() && lease.renew();
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        return steps.run("claiming", () -> {
            boolean insideWindow = !reader.betweenWindows();
            Optional<Batch> batch = claimNext(max);
            if (batch.isEmpty() && insideWindow && reader.betweenWindows() && reader.goOn()) {
                // The rest of the window was empty: look into the next one.
                batch = claimNext(max);
            }
            if (batch.isEmpty()) {
                saver.saveIfDue(settled, 0);
            }
            return batch;
        });
    }

    private Optional<Batch> claimNext(Limits max) throws SQLException {
        boolean betweenWindows = reader.betweenWindows();
        if (!betweenWindows && !paused && pagesSincePoll < PAGES_PER_POLL) {
            return claimPage(max);
        }
        dropGone();
        WindowReader.Poll poll = reader.poll(options.clock().instant(), parking.floor());
        pagesSincePoll = 0;
        paused = poll.paused();
        anyParked = poll.parked();
        if (paused) {
            return Optional.empty();
        }
        if (!mayBegin(poll)) {
            pagesSincePoll = PAGES_PER_POLL;
            return Optional.empty();
        }
        Optional<Batch> due = poll.due() ? claimDue(max) : Optional.empty();
        if (due.isPresent()) {
            return due;
        }
        if (betweenWindows) {
            return reader.goOn() ? claimFromNextWindow(poll, max) : Optional.empty();
        }
        return claimPage(max);
    }

    /** What an earlier session parked, or began to read, may not have waited: all of it lies before the first snapshot. */
    private boolean mayBegin(WindowReader.Poll poll) throws SQLException {
        if (begun) {
            return true;
        }
        first = first == null ? poll : first;
        begun = isSafe(first, poll);
        return begun;
    }

    private void dropGone() throws SQLException {
        Instant now = options.clock().instant();
        if (!gone.isTime(now)) {
            return;
        }
        List<Long> found = gone.look(now);
        if (!found.isEmpty()) {
            saver.save(settled, () -> gone.drop(found, parking));
        }
    }

    /** One batch of parked events is out at a time: the next could bring the same ones again. */
    private Optional<Batch> claimDue(Limits max) throws SQLException {
        if (out.stream().anyMatch(JournalBatch.Due.class::isInstance)) {
            return Optional.empty();
        }
        List<JournalRow> rows = parking.due(options.clock().instant(), max);
        return rows.isEmpty() ? Optional.empty() : Optional.of(give(new JournalBatch.Due(rows)));
    }

    private Optional<Batch> claimFromNextWindow(WindowReader.Poll poll, Limits max) throws SQLException {
        WindowReader.Poll target = unflushed == null ? poll : unflushed;
        if (!isSafe(target, poll)) {
            unflushed = target;
            return Optional.empty();
        }
        unflushed = null;
        if (!reader.open(target)) {
            windowEndedAt(JournalPosition.atEndOf(target.point()));
            return Optional.empty();
        }
        return claimPage(max);
    }

    /**
     * What an open transaction has written since the last commit lies before the snapshot's end of the log, and on a quiet server
     * nobody flushes it for seconds. A commit of the session's own does, and one is enough for each snapshot.
     */
    private boolean isSafe(WindowReader.Poll target, WindowReader.Poll poll) throws SQLException {
        if (poll.safe() >= target.written()) {
            waits = 0;
            flushed = false;
            return true;
        }
        waits++;
        if (waits >= 2 && !flushed) {
            flushed = saver.saveToFlush(settled);
        }
        return false;
    }

    private Optional<Batch> claimPage(Limits max) throws SQLException {
        pagesSincePoll++;
        JournalPosition start = reader.position();
        WindowReader.Page page = reader.read(max);
        if (page.rows().isEmpty() && reader.betweenWindows()) {
            saver.requireLease();
            windowEndedAt(page.end());
            return Optional.empty();
        }
        List<JournalRow> open = page.rows();
        List<JournalRow> behind = List.of();
        Set<UUID> closed = closedKeys(page.rows());
        if (!closed.isEmpty()) {
            open = new ArrayList<>();
            behind = new ArrayList<>();
            for (JournalRow event : page.rows()) {
                (closed.contains(event.keyHash()) ? behind : open).add(event);
            }
        }
        return Optional.of(give(new JournalBatch.Fresh(open, behind, start, page.end())));
    }

    /** Keys with a parked event, and keys of events that will be parked when a batch that is out is settled. */
    private Set<UUID> closedKeys(List<JournalRow> rows) throws SQLException {
        Set<UUID> closed = new HashSet<>();
        for (JournalBatch batch : out) {
            if (batch instanceof JournalBatch.Fresh fresh) {
                fresh.behind().forEach(event -> closed.add(event.keyHash()));
            }
        }
        if (anyParked) {
            closed.addAll(
                    parking.closedAmong(rows.stream().map(JournalRow::keyHash).toList()));
        }
        return closed;
    }

    /** Whether everything was read and what was given out is settled. */
    boolean hasNothingLeft() {
        return reader.betweenWindows() && out.isEmpty();
    }

    boolean hasNothingOut() {
        return out.isEmpty();
    }

    /** Saves where the relay stands, and this in the same transaction. */
    void saveWith(PositionSaver.Also also) throws SQLException {
        saver.save(settled, also);
    }

    /** Does something that belongs to the session: if it throws, the session has failed. */
    <R> R during(String what, SqlWork<R> work) {
        return steps.run(what, work);
    }

    private JournalBatch give(JournalBatch batch) {
        if (batch instanceof JournalBatch.Fresh) {
            emptyTail = null;
        }
        out.addLast(batch);
        return batch;
    }

    private void windowEndedAt(JournalPosition end) {
        if (out.stream().anyMatch(JournalBatch.Fresh.class::isInstance)) {
            emptyTail = end;
        } else {
            settled = end;
        }
    }

    /** What is remembered moves after the transaction that makes it true. */
    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        steps.run("settling", () -> {
            requireNext(batch, inClaimOrder);
            JournalBatch settling = out.getFirst();
            if (settling instanceof JournalBatch.Fresh fresh) {
                settleFresh(fresh, inClaimOrder);
            } else {
                saver.save(settled, () -> parking.settle(settling.rows(), inClaimOrder));
                out.removeFirst();
                pagesSincePoll = PAGES_PER_POLL;
            }
            if (inClaimOrder.contains(Settlement.RELEASED)) {
                out.clear();
                emptyTail = null;
                reader.moveTo(settled);
            }
            return settled;
        });
    }

    private void settleFresh(JournalBatch.Fresh fresh, List<Settlement> settlements) throws SQLException {
        boolean last = out.stream().noneMatch(batch -> batch != fresh && batch instanceof JournalBatch.Fresh);
        JournalPosition end = last && emptyTail != null ? emptyTail : fresh.end();
        SettledPage page = SettledPage.of(fresh, settlements, end);
        if (page.parks()) {
            saver.save(page.position(), page.events(), () -> parking.park(page.parkedRows(), page.parkedAs()));
            anyParked = true;
            pagesSincePoll = PAGES_PER_POLL;
        } else if (!saver.saveIfDue(page.position(), page.events()) && out.size() == 1) {
            // If a page was read since, that is proof enough that the lease held.
            saver.requireLease();
        }
        out.removeFirst();
        settled = page.position();
        if (last) {
            emptyTail = null;
        }
    }

    private void requireNext(Batch batch, List<Settlement> settlements) {
        if (out.peekFirst() != batch) {
            throw new IllegalStateException(
                    "Relay " + lease.relay() + ": a batch was settled that is not the oldest of the " + out.size()
                            + " that are out. Settle in the order of claiming, and not after a release.");
        }
        if (settlements.size() != batch.events().size()) {
            throw new IllegalArgumentException("Relay " + lease.relay() + ": " + settlements.size()
                    + " settlements for a batch of " + batch.events().size() + " events.");
        }
    }

    /** A session that failed saves nothing: the next one goes on from what is surely true. */
    @Override
    public void close() {
        try {
            if (steps.failed()) {
                tellUnsaved("a step of it failed");
            } else {
                saver.saveRest(settled);
            }
            lease.release(connection);
        } catch (SQLException | RuntimeException e) {
            tellUnsaved(String.valueOf(e.getMessage()));
        } finally {
            try {
                lease.close();
            } finally {
                connection.closeQuietly();
            }
        }
    }

    private void tellUnsaved(String why) {
        log.info(
                "Relay {}: epoch {} ended without saving its last position ({}); what came after the saved one is published"
                        + " again.",
                lease.relay(),
                lease.epoch(),
                why);
    }
}
