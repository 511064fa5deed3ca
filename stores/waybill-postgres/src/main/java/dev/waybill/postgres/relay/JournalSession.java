package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One epoch of a relay: hands out pages of windows and due parked events, and moves the position as they are settled. If all
 * events are published, settling writes nothing but the position from time to time.
 */
final class JournalSession implements RelaySession {
    /** Inside a long window the session polls after so many pages, to see whether it was paused or a parked event is due. */
    private static final int PAGES_PER_POLL = 8;

    private final JournalLease lease;
    private final JournalConnection connection;
    private final InstantSource clock;
    private final JournalReader reader;
    private final Parking parking;
    private final DeletedEvents deleted;
    private final PositionSaver saver;
    private final SessionSteps steps;
    private final SafeSnapshots safe;

    /** Oldest first. */
    private final Deque<JournalBatch> inFlight = new ArrayDeque<>();
    /** End of the last settled batch. */
    private JournalPosition settled;

    /** End of a window whose last pages were empty, while batches before it are in flight. */
    private @Nullable JournalPosition emptyTail;

    /** Polls first: a session may begin inside a window, and the relay may be paused. */
    private int pagesSincePoll = PAGES_PER_POLL;

    private boolean paused;
    private boolean anyParked = true;
    /** @param reader at the saved position of the relay */
    JournalSession(
            JournalLease lease,
            JournalConnection connection,
            InstantSource clock,
            JournalReader reader,
            PositionSaver saver) {
        this.lease = lease;
        this.connection = connection;
        this.clock = clock;
        this.reader = reader;
        this.parking = new Parking(connection, lease.relay());
        this.deleted = new DeletedEvents(connection, lease.relay());
        this.saver = saver;
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), JournalConnection::failed);
        this.settled = reader.position();
        this.safe = new SafeSnapshots(() -> saver.saveToFlush(settled));
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
            if (batch.isEmpty() && insideWindow && reader.betweenWindows() && reader.hasNextWindow()) {
                // The rest of the window was empty.
                batch = claimNext(max);
            }
            if (batch.isEmpty()) {
                saver.saveIfDue(settled, PositionSaver.Settled.NOTHING);
            }
            return batch;
        });
    }

    private Optional<Batch> claimNext(Limits max) throws SQLException {
        boolean betweenWindows = reader.betweenWindows();
        if (!betweenWindows && !paused && pagesSincePoll < PAGES_PER_POLL) {
            return claimPage(max);
        }
        deleted.dropFound(clock.instant(), parking, also -> saver.save(settled, also));
        Poller.Poll poll = reader.poll(clock.instant(), parking.floor());
        pagesSincePoll = 0;
        paused = poll.paused();
        anyParked = poll.parked();
        if (paused) {
            return Optional.empty();
        }
        if (!safe.mayBegin(poll)) {
            pagesSincePoll = PAGES_PER_POLL;
            return Optional.empty();
        }
        Optional<Batch> due = poll.due() ? claimDue(max) : Optional.empty();
        if (due.isPresent()) {
            return due;
        }
        if (betweenWindows) {
            return reader.hasNextWindow() ? claimFromNextWindow(poll, max) : Optional.empty();
        }
        return claimPage(max);
    }

    /** Only one batch of parked events is in flight at a time: another could contain the same events. */
    private Optional<Batch> claimDue(Limits max) throws SQLException {
        if (inFlight.stream().anyMatch(JournalBatch.Due.class::isInstance)) {
            return Optional.empty();
        }
        List<JournalRow> rows = parking.due(clock.instant(), max);
        return rows.isEmpty() ? Optional.empty() : Optional.of(handOut(new JournalBatch.Due(rows)));
    }

    private Optional<Batch> claimFromNextWindow(Poller.Poll poll, Limits max) throws SQLException {
        Optional<Poller.Poll> target = safe.target(poll);
        if (target.isEmpty()) {
            return Optional.empty();
        }
        if (!reader.open(target.get())) {
            windowEndedAt(JournalPosition.atEndOf(target.get().point()));
            return Optional.empty();
        }
        return claimPage(max);
    }

    private Optional<Batch> claimPage(Limits max) throws SQLException {
        pagesSincePoll++;
        JournalPosition start = reader.position();
        JournalReader.Page page = reader.read(max);
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
        return Optional.of(handOut(new JournalBatch.Fresh(open, behind, start, page.end())));
    }

    /** Keys with a parked event, and keys of events that will be parked when a batch in flight is settled. */
    private Set<UUID> closedKeys(List<JournalRow> rows) throws SQLException {
        Set<UUID> closed = new HashSet<>();
        for (JournalBatch batch : inFlight) {
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

    /** Whether everything was read and settled. */
    boolean isComplete() {
        return reader.betweenWindows() && inFlight.isEmpty();
    }

    boolean hasNothingInFlight() {
        return inFlight.isEmpty();
    }

    /** Saves the position, and writes this in the same transaction. */
    void saveWith(PositionSaver.Also also) throws SQLException {
        saver.save(settled, also);
    }

    /** If the work throws, the session has failed. */
    <R> R during(String what, SqlWork<R> work) {
        return steps.run(what, work);
    }

    private JournalBatch handOut(JournalBatch batch) {
        if (batch instanceof JournalBatch.Fresh) {
            emptyTail = null;
        }
        inFlight.addLast(batch);
        return batch;
    }

    private void windowEndedAt(JournalPosition end) {
        if (inFlight.stream().anyMatch(JournalBatch.Fresh.class::isInstance)) {
            emptyTail = end;
        } else {
            settled = end;
        }
    }

    /** Changes the state in memory only after the transaction that makes it true. */
    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        steps.run("settling", () -> {
            requireNext(batch, inClaimOrder);
            JournalBatch settling = inFlight.getFirst();
            if (settling instanceof JournalBatch.Fresh fresh) {
                settleFresh(fresh, inClaimOrder);
            } else {
                saver.save(
                        settled,
                        PositionSaver.Settled.parked(inClaimOrder),
                        () -> parking.settle(settling.rows(), inClaimOrder));
                inFlight.removeFirst();
                pagesSincePoll = PAGES_PER_POLL;
            }
            if (inClaimOrder.contains(Settlement.RELEASED)) {
                inFlight.clear();
                emptyTail = null;
                reader.moveTo(settled);
            }
            return settled;
        });
    }

    private void settleFresh(JournalBatch.Fresh fresh, List<Settlement> settlements) throws SQLException {
        boolean last = inFlight.stream().noneMatch(batch -> batch != fresh && batch instanceof JournalBatch.Fresh);
        JournalPosition end = last && emptyTail != null ? emptyTail : fresh.end();
        SettledPage page = SettledPage.of(fresh, settlements, end);
        if (page.parks()) {
            saver.save(page.position(), page.settled(), () -> parking.park(page.parkedRows(), page.parkedAs()));
            anyParked = true;
            pagesSincePoll = PAGES_PER_POLL;
        } else if (!saver.saveIfDue(page.position(), page.settled()) && inFlight.size() == 1) {
            // With other batches in flight, reading them has proved the lease.
            saver.requireLease();
        }
        inFlight.removeFirst();
        settled = page.position();
        if (last) {
            emptyTail = null;
        }
    }

    private void requireNext(Batch batch, List<Settlement> settlements) {
        if (inFlight.peekFirst() != batch) {
            throw new IllegalStateException("Relay " + lease.relay() + ": the settled batch is not the oldest of the "
                    + inFlight.size() + " in flight. Settle in the order of claiming, and not after a release.");
        }
        if (settlements.size() != batch.events().size()) {
            throw new IllegalArgumentException("Relay " + lease.relay() + ": " + settlements.size()
                    + " settlements for a batch of " + batch.events().size() + " events.");
        }
    }

    @Override
    public void close() {
        SessionEnd.of(lease, connection, steps.failed(), () -> saver.saveRest(settled));
    }
}
