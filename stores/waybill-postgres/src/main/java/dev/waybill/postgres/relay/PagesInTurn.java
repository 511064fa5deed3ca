package dev.waybill.postgres.relay;

import dev.waybill.spi.Limits;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What a session reads next: parked events that are due, or else a page of the current window, or of the next one.
 *
 * @param <P> what the session hands out
 */
final class PagesInTurn<P> {
    /** Inside a long window the session polls after so many pages, to see whether a parked event is due. */
    static final int PAGES_PER_POLL = 8;

    private final JournalReader reader;
    private final PositionSaver saver;
    private final Parking parking;
    private final DeletedEvents deleted;
    private final InstantSource clock;
    private final SafeSnapshots safe;
    private final Session<P> session;

    /** Polls first: a session may begin inside a window, and the relay may be paused. */
    private int pagesSincePoll = PAGES_PER_POLL;

    private boolean paused;
    private boolean anyParked = true;

    /** The session that reads. */
    interface Session<P> {
        /** The position that it has reached and may save. */
        JournalPosition settled();

        /** Parked events that are due; empty if there are none, or others of them are in flight. */
        Optional<P> readDue(Limits max) throws SQLException;

        /**
         * Takes a page of the open window; it may be without events.
         *
         * @param start position before the page
         */
        Optional<P> take(JournalPosition start, JournalReader.Page page) throws SQLException;

        void windowOpened();

        /** A window without events ends here. */
        void emptyUpTo(JournalPosition end);
    }

    PagesInTurn(JournalReader reader, PositionSaver saver, Parking parking, InstantSource clock, Session<P> session) {
        this.reader = reader;
        this.saver = saver;
        this.parking = parking;
        this.clock = clock;
        this.session = session;
        this.deleted = new DeletedEvents(reader.connection(), saver.relay());
        this.safe = new SafeSnapshots(() -> saver.saveToFlush(session.settled()));
    }

    Optional<P> next(Limits max) throws SQLException {
        boolean betweenWindows = reader.betweenWindows();
        if (!betweenWindows && !paused && pagesSincePoll < PAGES_PER_POLL) {
            return readPage(max);
        }
        deleted.dropFound(clock.instant(), parking, also -> saver.save(session.settled(), also));
        Poller.Poll poll = reader.poll(clock.instant(), parking.floor());
        pagesSincePoll = 0;
        paused = poll.paused();
        anyParked = poll.parked();
        if (paused || !safe.mayBegin(poll)) {
            pagesSincePoll = PAGES_PER_POLL;
            return Optional.empty();
        }
        Optional<P> due = poll.due() ? session.readDue(max) : Optional.empty();
        if (due.isPresent()) {
            return due;
        }
        return betweenWindows && !isNextOpened(poll) ? Optional.empty() : readPage(max);
    }

    private boolean isNextOpened(Poller.Poll poll) throws SQLException {
        Optional<Poller.Poll> target = reader.hasNextWindow() ? safe.target(poll) : Optional.empty();
        if (target.isEmpty()) {
            return false;
        }
        boolean opened = reader.open(target.get());
        if (opened) {
            session.windowOpened();
        } else {
            session.emptyUpTo(JournalPosition.atEndOf(target.get().point()));
        }
        return opened;
    }

    private Optional<P> readPage(Limits max) throws SQLException {
        pagesSincePoll++;
        JournalPosition start = reader.position();
        Optional<JournalReader.Page> page = reader.read(max);
        paused = page.isEmpty();
        return paused ? Optional.empty() : session.take(start, page.get());
    }

    boolean isPaused() {
        return paused;
    }

    /** The hashes of those keys of the rows that a parked event closes. They are computed only if any event is parked. */
    Set<UUID> closedAmong(List<JournalRow> rows) throws SQLException {
        return anyParked
                ? parking.closedAmong(rows.stream().map(JournalRow::keyHash).toList())
                : Set.of();
    }

    /** Polls before the next page. */
    void pollNext() {
        pagesSincePoll = PAGES_PER_POLL;
    }

    /** Events were parked, or may have been. */
    void parked() {
        anyParked = true;
        pollNext();
    }
}
