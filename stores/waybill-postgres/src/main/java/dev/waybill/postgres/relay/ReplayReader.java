package dev.waybill.postgres.relay;

import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalSql;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.Limits;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/**
 * Reads the one window of a replay: the events that match its filter and are visible in the snapshot that was taken when it
 * started, along the primary key. No transaction is late in a window whose base is empty.
 */
final class ReplayReader extends JournalReader {
    /** Returns nothing under a newer epoch. */
    private static final String PAGE = """
            select %s from waybill.event e join waybill.replay q on q.relay = ?
             where (select r.epoch from waybill.relay r where r.name = ?) = ?
               and e.seq > ? and e.seq <= ? and pg_visible_in_snapshot(e.xid, ?::pg_snapshot)
               and %s
             order by e.seq limit ?""".formatted(EventPage.COLUMNS, JournalSql.REPLAY_MATCHES);

    ReplayReader(JournalConnection connection, Poller poller, JournalPosition start) {
        super(connection, poller, start);
        poller.sequence().requireReached(start);
    }

    @Override
    boolean hasNextWindow() {
        return false;
    }

    @Override
    boolean open(Poller.Poll poll) {
        throw new IllegalStateException("A replay has one window.");
    }

    @Override
    Page read(Limits max) throws SQLException {
        Point target = requireTarget();
        long to = Math.min(position().high(), from() + SPAN);
        PreparedStatement statement = connection().prepare(PAGE);
        statement.setString(1, poller().relay().value());
        statement.setString(2, poller().relay().value());
        statement.setLong(3, poller().epoch());
        statement.setLong(4, from());
        statement.setLong(5, to);
        statement.setObject(6, target.snapshot().toString(), Types.OTHER);
        statement.setInt(7, max.events());
        return moveBehind(EventPage.read(connection(), statement, max, row -> 0), target, to);
    }
}
