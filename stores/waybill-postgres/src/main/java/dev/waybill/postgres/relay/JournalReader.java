package dev.waybill.postgres.relay;

import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads the journal for a session: windows one after the other, each page by page. */
abstract class JournalReader {
    /** Seqs that one page covers at most. All of them may be of rolled-back transactions, or not match. */
    static final long SPAN = 50_000;

    private final JournalConnection connection;
    private final Poller poller;
    private JournalPosition position;

    /** Where more seqs than this follow a page without events, the next event is looked up: the sequence may have been set forward. */
    private static final long FAR = 100 * SPAN;

    private static final String NEXT =
            "select e.seq from waybill.event e where e.seq > ? and e.seq <= ? order by e.seq limit 1";

    private static final String STATEMENT_TIMEOUT = "57014";

    /** @param end position after the page; the end of the window if it is the last page */
    record Page(List<JournalRow> rows, JournalPosition end) {}

    JournalReader(JournalConnection connection, Poller poller, JournalPosition position) {
        this.connection = connection;
        this.poller = poller;
        this.position = position;
    }

    final JournalConnection connection() {
        return connection;
    }

    final Poller poller() {
        return poller;
    }

    final JournalPosition position() {
        return position;
    }

    /** Continues from here: a saved position, or one before released events. */
    void moveTo(JournalPosition newPosition) throws SQLException {
        position = newPosition;
    }

    final boolean betweenWindows() {
        return position.target() == null;
    }

    /** Whether another window follows the current one. */
    abstract boolean hasNextWindow();

    final Poller.Poll poll(Instant now, DueFloor floor) throws SQLException {
        return poller.poll(now, floor);
    }

    /**
     * Opens the window up to the polled snapshot.
     *
     * @return false if it is known to be empty; the snapshot is then the new base
     */
    abstract boolean open(Poller.Poll poll) throws SQLException;

    /**
     * Reads the next page of the window. A page without events is not necessarily the last.
     *
     * @return empty while an operator has paused the relay
     */
    abstract Optional<Page> read(Limits max) throws SQLException;

    final Point requireTarget() {
        Point target = position.target();
        if (target == null) {
            throw new IllegalStateException("There is no open window to read.");
        }
        return target;
    }

    /** The rest of the window has higher seqs, except events of late transactions. */
    final long from() {
        return Math.max(position.base().floor(), position.seq());
    }

    /** The highest seq that a page from here covers. */
    final long upTo(long span) {
        return position.high() - from() > span ? from() + span : position.high();
    }

    /**
     * Moves the position behind a page.
     *
     * @param to the highest seq that the page covers
     * @return empty if the relay is paused
     */
    final Optional<Page> moveBehind(EventPage page, Point target, long to) throws SQLException {
        switch (page.halt()) {
            case LEASE_LOST -> throw new LeaseLostException(poller.relay(), poller.epoch());
            case PAUSED -> {
                return Optional.empty();
            }
            case NONE -> {
                if (page.cut()) {
                    position = position.at(page.lastSeq());
                } else {
                    long reached = page.rows().isEmpty() ? beforeNext(to) : to;
                    position = reached < position.high() ? position.at(reached) : JournalPosition.atEndOf(target);
                }
            }
        }
        return Optional.of(new Page(page.rows(), position));
    }

    /**
     * Up to where no event follows this seq. An event of the window that is visible at its end is visible to this statement too, unless it was
     * deleted.
     */
    private long beforeNext(long seq) throws SQLException {
        long high = position.high();
        if (high - seq <= FAR) {
            return seq;
        }
        try {
            return connection.first(NEXT, row -> row.getLong(1) - 1, seq, high).orElse(high);
        } catch (SQLException e) {
            if (!STATEMENT_TIMEOUT.equals(e.getSQLState())) {
                throw e;
            }
            // Very many rows of rolled-back transactions follow: they are passed page by page.
            return seq;
        }
    }
}
