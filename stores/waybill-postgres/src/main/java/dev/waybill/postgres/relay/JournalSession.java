package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.support.ClosedInFlight;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One epoch of a relay: hands out pages of windows and due parked events, and moves the position as they are settled. If all
 * events are published, settling writes nothing but the position from time to time.
 */
final class JournalSession implements RelaySession {
    private final JournalLease lease;
    private final JournalConnection connection;
    private final InstantSource clock;
    private final JournalReader reader;
    private final Parking parking;
    private final AlreadyDecided decided;
    private final PositionSaver saver;
    private final SessionSteps steps;
    private final PagesInTurn<Batch> pages;

    /** Oldest first. */
    private final Deque<JournalBatch> inFlight = new ArrayDeque<>();

    private final ClosedInFlight<UUID, JournalBatch> closedInFlight = new ClosedInFlight<>();
    /** End of the last settled batch. */
    private JournalPosition settled;

    /** End of a window whose last pages were empty, while batches before it are in flight. */
    private @Nullable JournalPosition emptyTail;

    /** @param reader at the saved position of the relay */
    JournalSession(
            JournalLease lease,
            JournalConnection connection,
            InstantSource clock,
            JournalReader reader,
            PositionSaver saver)
            throws SQLException {
        this.lease = lease;
        this.connection = connection;
        this.clock = clock;
        this.reader = reader;
        this.parking = new Parking(connection, lease.relay());
        this.decided = new AlreadyDecided(connection, lease.relay());
        decided.load();
        this.saver = saver;
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), JournalConnection::failed);
        this.settled = reader.position();
        this.pages = new PagesInTurn<>(reader, saver, parking, clock, new Turns());
        lease.begin();
    }

    private final class Turns implements PagesInTurn.Session<Batch> {
        @Override
        public JournalPosition settled() {
            return settled;
        }

        @Override
        public Optional<Batch> readDue(Limits max) throws SQLException {
            return claimDue(max);
        }

        @Override
        public Optional<Batch> take(JournalPosition start, JournalReader.Page page) throws SQLException {
            return claimPage(start, page);
        }

        @Override
        public void windowOpened() {}

        @Override
        public void emptyUpTo(JournalPosition end) {
            windowEndedAt(end);
        }
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
            Optional<Batch> batch = pages.next(max);
            if (batch.isEmpty() && insideWindow && reader.betweenWindows() && reader.hasNextWindow()) {
                // The rest of the window was empty.
                batch = pages.next(max);
            }
            if (batch.isEmpty()) {
                saver.saveIfDue(settled, PositionSaver.Settled.NOTHING);
            }
            return batch;
        });
    }

    /** Only one batch of parked events is in flight at a time: another could contain the same events. */
    private Optional<Batch> claimDue(Limits max) throws SQLException {
        if (inFlight.stream().anyMatch(JournalBatch.Due.class::isInstance)) {
            return Optional.empty();
        }
        List<JournalRow> rows = parking.due(clock.instant(), max);
        return rows.isEmpty() ? Optional.empty() : Optional.of(handOut(new JournalBatch.Due(rows)));
    }

    private Optional<Batch> claimPage(JournalPosition start, JournalReader.Page page) throws SQLException {
        if (page.rows().isEmpty() && reader.betweenWindows()) {
            windowEndedAt(page.end());
            return Optional.empty();
        }
        List<JournalRow> undecided = decided.without(page.rows());
        List<JournalRow> open = undecided;
        List<JournalRow> behind = List.of();
        Set<UUID> closed = closedKeys(undecided);
        if (!closed.isEmpty()) {
            open = new ArrayList<>();
            behind = new ArrayList<>();
            for (JournalRow event : undecided) {
                (closed.contains(event.keyHash()) ? behind : open).add(event);
            }
        }
        return Optional.of(handOut(new JournalBatch.Fresh(open, behind, start, page.end())));
    }

    /** Keys with a parked event, and keys of events that will be parked, or may be, when a batch in flight is settled. */
    private Set<UUID> closedKeys(List<JournalRow> rows) throws SQLException {
        Set<UUID> closed = new HashSet<>();
        for (JournalBatch batch : inFlight) {
            if (batch instanceof JournalBatch.Fresh fresh) {
                fresh.behind().forEach(event -> closed.add(event.keyHash()));
            }
        }
        closed.addAll(closedInFlight.keys());
        closed.addAll(pages.closedAmong(rows));
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

    @Override
    public Optional<BesideClaims> besideClaims() {
        return Optional.empty();
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
                // Some may have been discarded while they were out: nothing parks their keys then.
                closeForThoseInFlight(settling.rows(), inClaimOrder);
                pages.pollNext();
            }
            if (inClaimOrder.contains(Settlement.RELEASED)) {
                inFlight.clear();
                closedInFlight.clear();
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
            pages.parked();
        } else if (!saver.saveIfDue(page.position(), page.settled()) && inFlight.size() == 1) {
            // With other batches in flight, reading them has proved the lease.
            saver.requireLease();
        }
        inFlight.removeFirst();
        closedInFlight.settled(fresh);
        closeForThoseInFlight(page.parkedRows(), page.parkedAs());
        settled = page.position();
        if (last) {
            emptyTail = null;
        }
    }

    private void closeForThoseInFlight(List<JournalRow> rows, List<Settlement> settlements) {
        closedInFlight.close(
                ClosedInFlight.closedBy(rows, settlements, JournalRow::keyHash), inFlight, JournalSession::freshKeys);
    }

    private static Stream<UUID> freshKeys(JournalBatch batch) {
        return batch instanceof JournalBatch.Fresh ? batch.rows().stream().map(JournalRow::keyHash) : Stream.empty();
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
        Settlement.requireAttemptsLeft(batch.events(), settlements);
    }

    @Override
    public void close() {
        SessionEnd.of(lease, connection, steps.failed(), () -> saver.saveRest(settled));
    }
}
