package dev.waybill.jdbc;

import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
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
    private final PositionSaver saver;

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
        this.saver = saver;
        this.settled = reader.position();
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
        return guarded("claiming", () -> {
            boolean insideWindow = !reader.betweenWindows();
            Optional<Batch> batch = claimNext(max);
            if (batch.isEmpty() && insideWindow && reader.betweenWindows() && reader.goOn()) {
                // The rest of the window was empty: look into the next one.
                batch = claimNext(max);
            }
            if (batch.isEmpty()) {
                saver.saveIfDue(settled);
            }
            return batch;
        });
    }

    private Optional<Batch> claimNext(Limits max) throws SQLException {
        boolean betweenWindows = reader.betweenWindows();
        if (!betweenWindows && !paused && pagesSincePoll < PAGES_PER_POLL) {
            return claimPage(max);
        }
        WindowReader.Poll poll = reader.poll(options.clock().instant());
        pagesSincePoll = 0;
        paused = poll.paused();
        anyParked = poll.parked();
        if (paused) {
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

    /** One batch of parked events is out at a time: the next could bring the same ones again. */
    private Optional<Batch> claimDue(Limits max) throws SQLException {
        if (out.stream().anyMatch(JournalBatch.Due.class::isInstance)) {
            return Optional.empty();
        }
        List<JournalRow> rows = parking.due(options.clock().instant(), max);
        return rows.isEmpty() ? Optional.empty() : Optional.of(give(new JournalBatch.Due(rows)));
    }

    private Optional<Batch> claimFromNextWindow(WindowReader.Poll poll, Limits max) throws SQLException {
        WindowReader.Poll target = poll;
        if (options.waitFor().stage() != WaitFor.Stage.COMMIT) {
            target = unflushed == null ? poll : unflushed;
            if (poll.safe() < target.written()) {
                unflushed = target;
                return Optional.empty();
            }
            unflushed = null;
        }
        if (!reader.open(target)) {
            windowEndedAt(JournalPosition.atEndOf(target.point()));
            return Optional.empty();
        }
        return claimPage(max);
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

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        guarded("settling", () -> {
            requireNext(batch, inClaimOrder);
            JournalBatch settling = out.removeFirst();
            int firstReleased = inClaimOrder.indexOf(Settlement.RELEASED);
            if (settling instanceof JournalBatch.Fresh fresh) {
                settleFresh(fresh, inClaimOrder, firstReleased);
            } else {
                saver.save(settled, () -> parking.settle(settling.rows(), inClaimOrder));
                pagesSincePoll = PAGES_PER_POLL;
            }
            if (firstReleased >= 0) {
                out.clear();
                emptyTail = null;
                reader.moveTo(settled);
            }
            return settled;
        });
    }

    private void settleFresh(JournalBatch.Fresh fresh, List<Settlement> settlements, int firstReleased)
            throws SQLException {
        int count = firstReleased < 0 ? fresh.rows().size() : firstReleased;
        long before = firstReleased < 0 ? Long.MAX_VALUE : fresh.rows().get(firstReleased).seq;
        settled = firstReleased < 0 ? fresh.end() : fresh.start().at(before - 1);
        if (firstReleased < 0 && emptyTail != null && out.stream().noneMatch(JournalBatch.Fresh.class::isInstance)) {
            settled = emptyTail;
            emptyTail = null;
        }
        saver.published(count);
        List<JournalRow> parkedRows = new ArrayList<>();
        List<Settlement> parkedAs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (Parking.parks(settlements.get(i))) {
                parkedRows.add(fresh.rows().get(i));
                parkedAs.add(settlements.get(i));
            }
        }
        for (JournalRow event : fresh.behind()) {
            if (event.seq < before) {
                parkedRows.add(event);
                parkedAs.add(Settlement.BEHIND);
            }
        }
        if (parkedRows.isEmpty()) {
            // A page that was read since is proof enough that the lease held.
            if (!saver.saveIfDue(settled) && out.isEmpty()) {
                saver.requireLease();
            }
        } else {
            saver.save(settled, () -> parking.park(parkedRows, parkedAs));
            anyParked = true;
            pagesSincePoll = PAGES_PER_POLL;
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

    private <R> R guarded(String what, JournalConnection.Work<R> work) {
        try {
            return work.run();
        } catch (SQLException e) {
            throw JournalConnection.failed("relay " + lease.relay() + " was " + what, e);
        }
    }

    @Override
    public void close() {
        try {
            saver.saveRest(settled);
            lease.release(connection);
        } catch (SQLException | LeaseLostException | StoreException e) {
            log.info(
                    "Relay {}: epoch {} ended without saving its last position ({}); what came after the saved one is"
                            + " published again.",
                    lease.relay(),
                    lease.epoch(),
                    e.getMessage());
        } finally {
            lease.close();
            connection.closeQuietly();
        }
    }
}
