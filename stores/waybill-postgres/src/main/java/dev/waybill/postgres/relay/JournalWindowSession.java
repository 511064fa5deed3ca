package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One epoch of a relay whose position is committed by its destination.
 *
 * <p><b>A window is saved before its first event is handed out.</b> A committed position names the row of its window, so it means
 * the same after a crash of this server: the row was flushed together with every xid it refers to. The relay's own row follows
 * behind, and is what status and retention read. It is where the relay continues if the two do not fit together.
 *
 * <p><b>Events that are not published</b> get their parked row first: dead ones, and those behind a parked event of their key.
 * When the position behind them is not committed, they are read again and left out ({@link AlreadyDecided}). So neither a crash
 * between the two nor a change by an operator meanwhile causes a lost or repeated event. Positions behind them are in windows
 * that were saved after their rows: a replica that knows the window of a committed position also knows what became of the events before it.
 *
 * <p><b>Parked events that are due</b> (requeued by an operator, or left by a session that parks) are handed out as a window of
 * their own, whose row lists them. They leave the parked events once a position behind them is committed. Only events that the
 * session has passed in the journal are taken: others would be read once more.
 */
final class JournalWindowSession implements WindowSession {
    /** Which of these events are behind a position of the journal. */
    private static final String PASSED = """
            select e.seq from waybill.event e where e.seq = any (?)
               and (pg_visible_in_snapshot(e.xid, ?::pg_snapshot)
                    or (e.seq <= ? and pg_visible_in_snapshot(e.xid, ?::pg_snapshot)))""";

    private final JournalLease lease;
    private final JournalConnection connection;
    private final InstantSource clock;
    private final JournalReader reader;
    private final PositionSaver saver;
    private final String origin;
    private final Parking parking;
    private final AlreadyDecided decided;
    private final OpenWindows windows;
    private final CommittedPosition committed;
    private final SessionSteps steps;
    private final PagesInTurn<WindowPage> turns;
    private final UncommittedPages pages = new UncommittedPages();

    /** The relay's own position, which corresponds to the committed one. */
    private JournalPosition settled;

    /** The row of the window that is being read; null if none was saved yet. */
    private @Nullable OpenWindow current;

    /** Events that were left out since the last save, if the position is behind them. */
    private int leftOut;

    /** Whether pages may be read: not before the first resume, nor after an event was given up. */
    private boolean resumed;

    /**
     * @param reader at the saved position of the relay
     * @param origin identifies the store at its destinations
     */
    JournalWindowSession(
            JournalReader reader,
            PositionSaver saver,
            CommittedPosition committed,
            InstantSource clock,
            String origin) {
        this.lease = committed.lease();
        this.connection = reader.connection();
        this.clock = clock;
        this.origin = origin;
        this.reader = reader;
        this.saver = saver;
        this.committed = committed;
        this.parking = new Parking(connection, lease.relay());
        this.decided = new AlreadyDecided(connection, lease.relay());
        this.windows = committed.windows();
        this.steps = new SessionSteps(lease.relay(), lease.epoch(), JournalConnection::failed);
        this.settled = reader.position();
        this.turns = new PagesInTurn<>(reader, saver, parking, clock, new Turns());
        lease.begin();
    }

    private final class Turns implements PagesInTurn.Session<WindowPage> {
        @Override
        public JournalPosition settled() {
            return settled;
        }

        @Override
        public Optional<WindowPage> readDue(Limits max) throws SQLException {
            return readRequeued(max);
        }

        @Override
        public Optional<WindowPage> take(JournalPosition start, JournalReader.Page page) throws SQLException {
            return readWindow(start, page);
        }

        @Override
        public void windowOpened() {
            current = null;
        }

        @Override
        public void emptyUpTo(JournalPosition end) {
            endedAt(end);
        }
    }

    @Override
    public long epoch() {
        return lease.epoch();
    }

    @Override
    public String origin() {
        return origin;
    }

    @Override
    public boolean renew() {
        return !steps.failed() && lease.renew();
    }

    @Override
    public Resumed resume(Optional<WindowPosition> position) {
        return steps.run("resuming", () -> {
            @Nullable OpenWindow window =
                    position.isPresent() ? windows.find(position.get().window()).orElse(null) : null;
            Resumed from = from(position, window);
            if (window != null && committed.isAhead(window, position.get())) {
                List<Long> delivered = requeuedUpTo(window, position.get().seq());
                JournalPosition reached = window.behind(position.get().seq());
                committed.moveTo(window, position.get());
                saver.save(reached, () -> {
                    windows.drop(window.number() + 1, Long.MAX_VALUE);
                    windows.cut(window.number(), position.get().seq());
                    parking.delivered(delivered);
                });
                settled = reached;
            } else if (from == Resumed.COMMITTED) {
                // The store knows it already, or more.
                WindowPosition known = committed.position().orElseThrow();
                saver.save(settled, () -> {
                    windows.drop(committed.window() + 1, Long.MAX_VALUE);
                    windows.cut(committed.window(), known.seq());
                });
            } else {
                committed.forget();
                saver.save(settled, () -> windows.drop(0, Long.MAX_VALUE));
            }
            pages.clear();
            current = null;
            turns.parked();
            reader.moveTo(settled);
            decided.load();
            resumed = true;
            return from;
        });
    }

    private Resumed from(Optional<WindowPosition> position, @Nullable OpenWindow window) {
        if (window != null || (position.isPresent() && position.equals(committed.position()))) {
            return Resumed.COMMITTED;
        }
        if (committed.position().isEmpty()) {
            return Resumed.OWN_POSITION;
        }
        return position.isEmpty() ? Resumed.POSITION_LOST : Resumed.WINDOW_UNKNOWN;
    }

    private List<Long> requeuedUpTo(OpenWindow window, long seq) throws SQLException {
        List<Long> seqs = new ArrayList<>();
        for (OpenWindow each : windows.withRequeued(window)) {
            boolean whole = each.number() < window.number();
            each.requeued().stream().filter(one -> whole || one <= seq).forEach(seqs::add);
        }
        return seqs;
    }

    @Override
    public Optional<WindowPage> read(Limits max) {
        return steps.run("reading", () -> {
            if (!resumed) {
                throw new IllegalStateException("Relay " + lease.relay() + ": resume the session before reading.");
            }
            Optional<WindowPage> page = Optional.empty();
            boolean more = true;
            for (int i = 0; i < PagesInTurn.PAGES_PER_POLL && more; i++) {
                boolean betweenWindows = reader.betweenWindows();
                page = turns.next(max);
                // A page of a window may be without events: deleted or rolled back ones, or those that are decided
                // already.
                more = page.isEmpty() && !turns.isPaused() && !(betweenWindows && reader.betweenWindows());
            }
            if (page.isEmpty()) {
                saver.saveIfDue(settled, new PositionSaver.Settled(leftOut, 0));
                leftOut = 0;
            }
            return page;
        });
    }

    /** Only one window of them is in flight at a time: another could contain the same events. */
    private Optional<WindowPage> readRequeued(Limits max) throws SQLException {
        if (pages.hasRequeued()) {
            return Optional.empty();
        }
        List<JournalRow> due = parking.due(clock.instant(), max);
        Set<Long> passed = passed(due);
        List<JournalRow> rows = due.stream()
                .filter(row -> passed.contains(row.seq))
                .sorted(Comparator.comparingLong(row -> row.seq))
                .toList();
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        JournalPosition here = reader.position();
        OpenWindow window = windows.open(here, rows.stream().map(row -> row.seq).toList());
        current = null;
        turns.pollNext();
        return Optional.of(handOut(new JournalWindowPage(window, rows, rows.get(rows.size() - 1).seq, here, false)));
    }

    private Set<Long> passed(List<JournalRow> rows) throws SQLException {
        JournalPosition here = reader.position();
        JournalPosition.Point target = here.target() == null ? here.base() : here.target();
        return new HashSet<>(connection.query(
                PASSED,
                row -> row.getLong(1),
                connection.array("bigint", rows.stream().map(row -> row.seq).toArray()),
                SqlArgument.other(here.base().snapshot().toString()),
                here.seq(),
                SqlArgument.other(target.snapshot().toString())));
    }

    private Optional<WindowPage> readWindow(JournalPosition start, JournalReader.Page page) throws SQLException {
        List<JournalRow> open = withoutParked(page.rows());
        if (open.isEmpty()) {
            leftOut += pages.isEmpty() ? page.rows().size() : 0;
            endedAt(page.end());
            return Optional.empty();
        }
        if (current == null) {
            current = windows.open(start, List.of());
        }
        boolean atEnd = page.end().target() == null;
        long endSeq = atEnd ? start.high() : page.end().seq();
        return Optional.of(handOut(new JournalWindowPage(current, open, endSeq, page.end(), atEnd)));
    }

    /** Leaves out what was decided before, and parks events whose key is closed. */
    private List<JournalRow> withoutParked(List<JournalRow> rows) throws SQLException {
        List<JournalRow> undecided = decided.without(rows);
        Set<UUID> closed = turns.closedAmong(undecided);
        if (closed.isEmpty()) {
            return undecided;
        }
        List<JournalRow> open = new ArrayList<>();
        List<JournalRow> behind = new ArrayList<>();
        undecided.forEach(row -> (closed.contains(row.keyHash()) ? behind : open).add(row));
        saver.save(settled, () -> parking.park(behind, Collections.nCopies(behind.size(), Settlement.BEHIND)));
        current = null;
        return open;
    }

    private JournalWindowPage handOut(JournalWindowPage page) {
        pages.add(page);
        return page;
    }

    private void endedAt(JournalPosition position) {
        if (pages.isEmpty()) {
            settled = position;
        } else {
            pages.emptyUpTo(position);
        }
    }

    @Override
    public void giveUp(List<StoredEvent> events, List<Settlement.Dead> outcomes) {
        steps.run("giving up events", () -> {
            Set<StoredEvent> parkedBefore = pages.requeuedAmong(events);
            List<JournalRow> fresh = new ArrayList<>();
            List<Settlement> freshOutcomes = new ArrayList<>();
            List<JournalRow> requeued = new ArrayList<>();
            List<Settlement> requeuedOutcomes = new ArrayList<>();
            for (int i = 0; i < events.size(); i++) {
                JournalRow row = (JournalRow) events.get(i);
                boolean parked = parkedBefore.contains(row);
                (parked ? requeued : fresh).add(row);
                (parked ? requeuedOutcomes : freshOutcomes).add(outcomes.get(i));
            }
            saver.save(settled, () -> {
                parking.park(fresh, freshOutcomes);
                parking.settle(requeued, requeuedOutcomes);
            });
            pages.clear();
            resumed = false;
            return events;
        });
    }

    @Override
    public void committed(WindowPosition position) {
        steps.run("following its destination", () -> {
            UncommittedPages.Committed moved = pages.upTo(position);
            PositionSaver.Settled counted = new PositionSaver.Settled(moved.events(), moved.events());
            committed.moveTo(moved.window(), position);
            if (moved.requeued().isEmpty()) {
                saver.saveIfDue(moved.reached(), counted);
            } else {
                saver.save(moved.reached(), counted, () -> parking.delivered(moved.requeued()));
                turns.pollNext();
            }
            pages.committed(position);
            settled = moved.reached();
            return position;
        });
    }

    @Override
    public void close() {
        SessionEnd.of(lease, connection, steps.failed(), () -> saver.saveRest(settled));
    }
}
