package dev.waybill.postgres;

import dev.waybill.postgres.JournalPosition.Point;
import dev.waybill.spi.Limits;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads a replay: one window from nothing to the snapshot that was taken when it began, along the primary key, and of that
 * what matches its query. Nothing is late in a window that begins with nothing. Few may match of many, so a page looks at a
 * bounded part of the table: it may be empty and not the last.
 */
final class ReplayReader implements Windows {
    /** Fenced: brings nothing under a newer epoch. */
    private static final String PAGE = """
            select %s from waybill.event e join waybill.replay q on q.relay = ?
             where (select r.epoch from waybill.relay r where r.name = ?) = ?
               and e.seq > ? and e.seq <= ? and pg_visible_in_snapshot(e.xid, ?::pg_snapshot)
               and %s
             order by e.seq limit ?""".formatted(PostgresJournalSql.EVENT_COLUMNS, PostgresReplaySql.MATCHES);

    /** So many seqs are looked at for a page: some hundredths of a second. */
    private static final long STEP = 50_000;

    private final JournalConnection connection;
    private final JournalLease lease;
    private final WindowReader polls;
    private JournalPosition position;

    ReplayReader(JournalConnection connection, JournalLease lease, JournalPosition start, WaitFor waitFor)
            throws SQLException {
        this.connection = connection;
        this.lease = lease;
        this.polls = new WindowReader(connection, lease.relay(), lease.epoch(), waitFor);
        polls.requireReached(start);
        this.position = start;
    }

    @Override
    public void moveTo(JournalPosition newPosition) {
        position = newPosition;
    }

    @Override
    public JournalPosition position() {
        return position;
    }

    @Override
    public boolean betweenWindows() {
        return position.target() == null;
    }

    @Override
    public boolean goOn() {
        return false;
    }

    @Override
    public WindowReader.Poll poll(Instant now, DueFloor floor) throws SQLException {
        return polls.poll(now, floor);
    }

    @Override
    public boolean open(WindowReader.Poll poll) {
        throw new IllegalStateException("A replay has one window.");
    }

    @Override
    public WindowReader.Page read(Limits max) throws SQLException {
        @Nullable Point target = position.target();
        if (target == null) {
            throw new IllegalStateException("There is no open window to read.");
        }
        long from = Math.max(position.base().floor(), position.seq());
        long to = Math.min(position.high(), from + STEP);
        EventPage page = EventPage.read(connection, page(target, from, to, max), max, row -> 0);
        if (page.cut()) {
            position = position.at(page.lastSeq());
        } else {
            position = to < position.high() ? position.at(to) : JournalPosition.atEndOf(target);
        }
        return new WindowReader.Page(page.rows(), position);
    }

    private PreparedStatement page(Point target, long from, long to, Limits max) throws SQLException {
        PreparedStatement statement = connection.prepare(PAGE);
        statement.setString(1, lease.relay().value());
        statement.setString(2, lease.relay().value());
        statement.setLong(3, lease.epoch());
        statement.setLong(4, from);
        statement.setLong(5, to);
        statement.setObject(6, target.snapshot().toString(), Types.OTHER);
        statement.setInt(7, max.events());
        return statement;
    }
}
