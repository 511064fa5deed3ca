package dev.waybill.postgres.relay;

import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.Limits;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Reads the journal for a session: windows one after the other, each page by page. */
abstract class JournalReader {
    /** Seqs that one page covers at most. All of them may be of rolled-back transactions, or not match. */
    static final long SPAN = 50_000;

    private final JournalConnection connection;
    private final Poller poller;
    private JournalPosition position;

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

    /** Reads the next page of the window. A page without events is not necessarily the last. */
    abstract Page read(Limits max) throws SQLException;

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

    /**
     * Moves the position behind a page.
     *
     * @param to the highest seq that the page covers
     */
    final Page moveBehind(EventPage page, Point target, long to) {
        if (page.cut()) {
            position = position.at(page.lastSeq());
        } else {
            position = to < position.high() ? position.at(to) : JournalPosition.atEndOf(target);
        }
        return new Page(page.rows(), position);
    }
}
